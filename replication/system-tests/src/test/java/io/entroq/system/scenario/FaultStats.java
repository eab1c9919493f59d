package io.entroq.system.scenario;

import io.entroq.system.history.History;
import io.entroq.system.history.OperationKind;
import io.entroq.system.history.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How often there was each kind of fault, and how long commits stood still. For one thread. */
final class FaultStats {
  private record Stills(List<Duration> alone, List<Duration> together) {}

  private final Map<FaultKind, Stills> byKind = new EnumMap<>(FaultKind.class);

  FaultStats() {
    for (FaultKind kind : FaultKind.values()) {
      byKind.put(kind, new Stills(new ArrayList<>(), new ArrayList<>()));
    }
  }

  /** Adds faults that there were at the same time. */
  void add(Set<FaultKind> kinds, Duration still) {
    for (FaultKind kind : kinds) {
      Stills of = byKind.get(kind);
      (kinds.size() == 1 ? of.alone : of.together).add(still);
    }
  }

  /** A line for each kind. */
  String text() {
    StringBuilder text = new StringBuilder("how long commits stood still:");
    byKind.forEach(
        (kind, of) ->
            text.append(
                "%n  %-9s  alone %s; with another fault %s"
                    .formatted(kind, text(of.alone), text(of.together))));
    return text.toString();
  }

  private static String text(List<Duration> stills) {
    if (stills.isEmpty()) {
      return "never";
    }
    List<Duration> sorted = stills.stream().sorted().toList();
    return "%d times: %d ms in the middle, %d ms at most"
        .formatted(
            sorted.size(),
            sorted.get(sorted.size() / 2).toMillis(),
            sorted.get(sorted.size() - 1).toMillis());
  }

  /**
   * The longest time without an acknowledged Modify.
   *
   * @param history of the time
   */
  static Duration still(History history, long fromNs, long toNs) {
    long[] atNs =
        history.operations().stream()
            .filter(op -> op.invocation().kind() == OperationKind.MODIFY)
            .filter(op -> op.outcome() == Outcome.DONE)
            .mapToLong(op -> op.respondedNs() - fromNs)
            .sorted()
            .toArray();
    long[] ends = Arrays.copyOf(atNs, atNs.length + 1);
    ends[atNs.length] = toNs - fromNs;
    long longestNs = 0;
    long beforeNs = 0;
    for (long endNs : ends) {
      longestNs = Math.max(longestNs, endNs - beforeNs);
      beforeNs = endNs;
    }
    return Duration.ofNanos(longestNs);
  }
}
