package io.entroq.system.history;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A task that was claimed is nobody else's until the lease is over, or it was given up. */
final class LeaseRule {
  private final int leaseParts;
  private final BiConsumer<Harm, String> report;

  LeaseRule(int leaseParts, BiConsumer<Harm, String> report) {
    this.leaseParts = leaseParts;
    this.report = report;
  }

  void check(Life life) {
    for (Map.Entry<Integer, List<Operation>> claims : life.made.entrySet()) {
      for (Operation first : claims.getValue()) {
        for (Operation next : life.made.getOrDefault(claims.getKey() + 1, List.of())) {
          check(life, claims.getKey(), first, next);
        }
      }
    }
  }

  /** With nothing between two claims, only the end of the lease lets the second one have it. */
  private void check(Life life, int version, Operation first, Operation next) {
    if (!isClaimOf(first, life.id, version) || !isClaimOf(next, life.id, version + 1)) {
      return;
    }
    long heldNs = next.toldNs() - first.askedNs();
    long leastNs = TimeUnit.MILLISECONDS.toNanos(first.asked().leaseMs()) / 100 * leaseParts;
    if (heldNs < leastNs) {
      report.accept(
          Harm.DOUBLED,
          "%s@%d was claimed by %s for %d ms, and again by %s within %d ms"
              .formatted(
                  life.id,
                  version,
                  first,
                  first.asked().leaseMs(),
                  next,
                  TimeUnit.NANOSECONDS.toMillis(heldNs)));
    }
  }

  private static boolean isClaimOf(Operation op, String id, int version) {
    TaskVersion at = new TaskVersion(id, version);
    return op.told().isPresent()
        && op.told().get().tasks().stream().anyMatch(seen -> seen.at().equals(at));
  }
}
