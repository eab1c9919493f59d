package io.entroq.examples.mapreduce.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Counts the words of whole files, character by character, independently of the chunks and the
 * queue: the demo verifies its result against it. Not thread-safe.
 */
public final class DirectCount {
  private final WordCounts counts = new WordCounts();

  /**
   * Counts the words of a file.
   *
   * @throws IOException if it cannot be read
   */
  public void add(Path file) throws IOException {
    try (Reader reader =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8), 1 << 16)) {
      StringBuilder word = new StringBuilder();
      int codePoint = next(reader);
      while (codePoint >= 0) {
        if (WordRule.isPart(codePoint)) {
          if (word.codePointCount(0, word.length()) < WordRule.CODE_POINTS_MAX) {
            word.appendCodePoint(codePoint);
          }
        } else if (word.length() > 0) {
          count(word);
        }
        codePoint = next(reader);
      }
      if (word.length() > 0) {
        count(word);
      }
    }
  }

  /** The counts so far. */
  public WordCounts counts() {
    return counts;
  }

  private void count(StringBuilder word) {
    counts.add(WordRule.normalize(word.toString()), 1);
    word.setLength(0);
  }

  /** The next code point, or -1. The reader returns surrogates only in pairs. */
  private static int next(Reader reader) throws IOException {
    int high = reader.read();
    return high >= 0 && Character.isHighSurrogate((char) high)
        ? Character.toCodePoint((char) high, (char) reader.read())
        : high;
  }
}
