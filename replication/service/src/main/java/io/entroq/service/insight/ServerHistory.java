package io.entroq.service.insight;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ToLongFunction;

/** What a server said of itself in each minute of the last hour. Not thread-safe. */
final class ServerHistory {
  private static final int MINUTES = 60;

  private record Said(long minute, ServerFigures figures) {}

  private final Deque<Said> past = new ArrayDeque<>();

  /** The first of each minute is remembered. */
  void add(long minute, ServerFigures figures) {
    if (past.isEmpty() || minute > past.getLast().minute) {
      past.add(new Said(minute, figures));
      while (past.getFirst().minute < minute - MINUTES) {
        past.remove();
      }
    }
  }

  /** How much a number has grown within so many minutes, or since the oldest that is known. */
  long increase(ServerFigures now, long minute, int minutes, ToLongFunction<ServerFigures> number) {
    ServerFigures before =
        past.stream()
            .filter(said -> said.minute >= minute - minutes)
            .findFirst()
            .map(Said::figures)
            .orElse(now);
    return number.applyAsLong(now) - number.applyAsLong(before);
  }
}
