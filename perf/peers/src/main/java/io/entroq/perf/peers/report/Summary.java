package io.entroq.perf.peers.report;

import io.entroq.load.ledger.Balance;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.run.Measured;
import io.entroq.perf.peers.run.Result;
import io.entroq.perf.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of one peer at one class and one shape.
 *
 * @param measured rounds that did not fail
 * @param failures the reasons of the others
 */
record Summary(
    String peer,
    DurabilityClass durability,
    Shape shape,
    List<Measured> measured,
    List<String> failures) {
  /** Summarizes a run in the order of its results. */
  static List<Summary> of(List<Result> results) {
    Map<List<Object>, Summary> summaries = new LinkedHashMap<>();
    for (Result result : results) {
      Summary summary =
          summaries.computeIfAbsent(
              List.of(result.durability(), result.peer(), result.shape()), key -> empty(result));
      result
          .measured()
          .ifPresentOrElse(summary.measured::add, () -> summary.failures.add(result.failure()));
    }
    return List.copyOf(summaries.values());
  }

  private static Summary empty(Result result) {
    return new Summary(
        result.peer(), result.durability(), result.shape(), new ArrayList<>(), new ArrayList<>());
  }

  /** The spread of a figure over the rounds; empty if all failed. */
  Optional<Spread> spread(ToDoubleFunction<Measured> figure) {
    return measured.isEmpty() ? Optional.empty() : Optional.of(Spread.of(measured, figure));
  }

  /** Failures, and tasks lost or doubled; empty if there are none. */
  String remark() {
    List<String> remarks = new ArrayList<>();
    if (!failures.isEmpty()) {
      remarks.add(
          "failed in %d of %d rounds: %s"
              .formatted(
                  failures.size(),
                  failures.size() + measured.size(),
                  String.join("; ", failures.stream().distinct().toList())));
    }
    long lost = measured.stream().map(Measured::balance).mapToLong(Balance::lost).sum();
    long doubled = measured.stream().map(Measured::balance).mapToLong(Balance::doubled).sum();
    if (lost > 0 || doubled > 0) {
      remarks.add("lost %d tasks, doubled %d".formatted(lost, doubled));
    }
    return String.join("; ", remarks);
  }
}
