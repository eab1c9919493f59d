package io.entroq.examples.mapreduce;

import io.entroq.api.Value;
import io.entroq.api.codec.CodecException;
import io.entroq.api.codec.ValueCodec;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** How often words occur. For one thread. */
final class Counts {
  /** How counts stand in the value of a task: a line for each word. */
  static final ValueCodec<Counts> CODEC =
      new ValueCodec<>() {
        @Override
        public Value encode(Counts counts) {
          StringJoiner lines = new StringJoiner("\n");
          counts.byWord.forEach((word, count) -> lines.add(word + " " + count));
          return Value.text(lines.toString());
        }

        @Override
        public Counts decode(Value value) {
          Counts counts = new Counts();
          value.asText().lines().forEach(line -> counts.addLine(line));
          return counts;
        }
      };

  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

  private final SortedMap<String, Long> byWord = new TreeMap<>();

  /** Of the words of a text, in lower case. */
  static Counts of(String text) {
    Counts counts = new Counts();
    NO_WORD
        .splitAsStream(text.toLowerCase(Locale.ROOT))
        .filter(word -> !word.isEmpty())
        .forEach(word -> counts.add(word, 1));
    return counts;
  }

  /** Adds what another one has. */
  void addAll(Counts other) {
    other.byWord.forEach(this::add);
  }

  /** Of those words alone. */
  Counts only(Predicate<String> words) {
    Counts some = new Counts();
    byWord.forEach(
        (word, count) -> {
          if (words.test(word)) {
            some.add(word, count);
          }
        });
    return some;
  }

  /** By word, to be read. */
  SortedMap<String, Long> byWord() {
    return Collections.unmodifiableSortedMap(byWord);
  }

  private void add(String word, long count) {
    byWord.merge(word, count, Long::sum);
  }

  private void addLine(String line) {
    int space = line.indexOf(' ');
    try {
      add(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw new CodecException("not a word and its count: " + line, e);
    }
  }
}
