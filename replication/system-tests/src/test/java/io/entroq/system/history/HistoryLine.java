package io.entroq.system.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A history as lines of text, one for each question and one for each answer. Names have neither
 * blanks, commas nor colons.
 */
public final class HistoryLine {
  private static final String ASKED = "asked";
  private static final String TOLD = "told";

  private HistoryLine() {}

  /** A line without its end. */
  public static String of(Asked asked) {
    return String.join(
        " ",
        ASKED,
        asked.op(),
        asked.caller(),
        asked.kind().name(),
        Long.toString(asked.atNs()),
        list(asked.writes(), write -> write.id() + ":" + write.version() + ":" + write.queue()),
        list(asked.deletes(), HistoryLine::version),
        list(asked.queues(), queue -> queue),
        Long.toString(asked.leaseMs()),
        Long.toString(asked.patienceMs()),
        list(asked.ids(), id -> id));
  }

  /** A line without its end. */
  public static String of(Told told) {
    return String.join(
        " ",
        TOLD,
        told.op(),
        Long.toString(told.atNs()),
        told.outcome().name(),
        list(told.written(), HistoryLine::seen),
        list(told.tasks(), HistoryLine::seen),
        list(told.missing(), HistoryLine::version));
  }

  /** Reads lines; a last one that is cut off, as its writer was killed, counts for nothing. */
  public static History read(List<String> lines) {
    List<Asked> asked = new ArrayList<>();
    List<Told> told = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(ASKED) && words.length == 11) {
        asked.add(asked(words));
      } else if (words[0].equals(TOLD) && words.length == 7) {
        told.add(told(words));
      }
    }
    return History.of(asked, told);
  }

  private static Asked asked(String[] words) {
    return new Asked(
        words[1],
        words[2],
        Kind.valueOf(words[3]),
        Long.parseLong(words[4]),
        items(words[5], parts -> new Written(parts[0], Integer.parseInt(parts[1]), parts[2])),
        items(words[6], HistoryLine::version),
        items(words[7], parts -> parts[0]),
        Long.parseLong(words[8]),
        Long.parseLong(words[9]),
        items(words[10], parts -> parts[0]));
  }

  private static Told told(String[] words) {
    return new Told(
        words[1],
        Long.parseLong(words[2]),
        Outcome.valueOf(words[3]),
        items(words[4], HistoryLine::seen),
        items(words[5], HistoryLine::seen),
        items(words[6], HistoryLine::version));
  }

  private static String version(TaskVersion version) {
    return version.id() + ":" + version.version();
  }

  private static TaskVersion version(String[] parts) {
    return new TaskVersion(parts[0], Integer.parseInt(parts[1]));
  }

  private static String seen(Seen seen) {
    return String.join(
        ":",
        seen.id(),
        Integer.toString(seen.version()),
        seen.queue(),
        seen.writer(),
        Integer.toString(seen.claims()));
  }

  private static Seen seen(String[] parts) {
    return new Seen(
        parts[0], Integer.parseInt(parts[1]), parts[2], parts[3], Integer.parseInt(parts[4]));
  }

  private static <T> String list(List<T> items, Function<T, String> text) {
    return "," + items.stream().map(text).collect(Collectors.joining(","));
  }

  private static <T> List<T> items(String list, Function<String[], T> item) {
    return Arrays.stream(list.split(",", -1))
        .filter(text -> !text.isEmpty())
        .map(text -> item.apply(text.split(":", -1)))
        .toList();
  }
}
