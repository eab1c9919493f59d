package io.entroq.system.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A history as lines of text, one for each invocation and each response. Names must not contain
 * blanks, commas or colons.
 */
public final class HistoryFormat {
  private static final String INVOKED = "invoked";
  private static final String RESPONDED = "responded";

  private HistoryFormat() {}

  public static String of(Invocation invocation) {
    return String.join(
        " ",
        INVOKED,
        invocation.op(),
        invocation.caller(),
        invocation.kind().name(),
        Long.toString(invocation.atNs()),
        list(
            invocation.writes(), write -> write.id() + ":" + write.version() + ":" + write.queue()),
        list(invocation.deletes(), HistoryFormat::version),
        list(invocation.queues(), queue -> queue),
        Long.toString(invocation.leaseMs()),
        Long.toString(invocation.limitMs()),
        list(invocation.ids(), id -> id));
  }

  public static String of(Response response) {
    return String.join(
        " ",
        RESPONDED,
        response.op(),
        Long.toString(response.atNs()),
        response.outcome().name(),
        list(response.written(), HistoryFormat::observed),
        list(response.tasks(), HistoryFormat::observed),
        list(response.missing(), HistoryFormat::version));
  }

  /** Reads lines; ignores a last one that was cut off when its writer was killed. */
  public static History read(List<String> lines) {
    List<Invocation> invocation = new ArrayList<>();
    List<Response> response = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(INVOKED) && words.length == 11) {
        invocation.add(invocation(words));
      } else if (words[0].equals(RESPONDED) && words.length == 7) {
        response.add(response(words));
      }
    }
    return History.of(invocation, response);
  }

  private static Invocation invocation(String[] words) {
    return new Invocation(
        words[1],
        words[2],
        OperationKind.valueOf(words[3]),
        Long.parseLong(words[4]),
        items(words[5], parts -> new TaskWrite(parts[0], Integer.parseInt(parts[1]), parts[2])),
        items(words[6], HistoryFormat::version),
        items(words[7], parts -> parts[0]),
        Long.parseLong(words[8]),
        Long.parseLong(words[9]),
        items(words[10], parts -> parts[0]));
  }

  private static Response response(String[] words) {
    return new Response(
        words[1],
        Long.parseLong(words[2]),
        Outcome.valueOf(words[3]),
        items(words[4], HistoryFormat::observed),
        items(words[5], HistoryFormat::observed),
        items(words[6], HistoryFormat::version));
  }

  private static String version(TaskVersion version) {
    return version.id() + ":" + version.version();
  }

  private static TaskVersion version(String[] parts) {
    return new TaskVersion(parts[0], Integer.parseInt(parts[1]));
  }

  private static String observed(ObservedTask observed) {
    return String.join(
        ":",
        observed.id(),
        Integer.toString(observed.version()),
        observed.queue(),
        observed.writer(),
        Integer.toString(observed.claims()));
  }

  private static ObservedTask observed(String[] parts) {
    return new ObservedTask(
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
