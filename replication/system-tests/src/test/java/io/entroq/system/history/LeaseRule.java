package io.entroq.system.history;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** No other caller has a claimed task until its lease ends or the task is given up. */
final class LeaseRule {
  private final int leaseParts;
  private final BiConsumer<ViolationKind, String> report;

  LeaseRule(int leaseParts, BiConsumer<ViolationKind, String> report) {
    this.leaseParts = leaseParts;
    this.report = report;
  }

  void check(TaskHistory task) {
    for (Map.Entry<Integer, List<Operation>> claims : task.created.entrySet()) {
      for (Operation first : claims.getValue()) {
        for (Operation next : task.created.getOrDefault(claims.getKey() + 1, List.of())) {
          check(task, claims.getKey(), first, next);
        }
      }
    }
  }

  /** Without a change between two claims, only the end of the lease allows the second. */
  private void check(TaskHistory task, int version, Operation first, Operation next) {
    if (!isClaimOf(first, task.id, version) || !isClaimOf(next, task.id, version + 1)) {
      return;
    }
    long heldNs = next.respondedNs() - first.invokedNs();
    long leastNs = TimeUnit.MILLISECONDS.toNanos(first.invocation().leaseMs()) / 100 * leaseParts;
    if (heldNs < leastNs) {
      report.accept(
          ViolationKind.DOUBLED,
          "%s@%d was claimed by %s for %d ms, and again by %s within %d ms"
              .formatted(
                  task.id,
                  version,
                  first,
                  first.invocation().leaseMs(),
                  next,
                  TimeUnit.NANOSECONDS.toMillis(heldNs)));
    }
  }

  private static boolean isClaimOf(Operation op, String id, int version) {
    TaskVersion at = new TaskVersion(id, version);
    return op.response().isPresent()
        && op.response().get().tasks().stream().anyMatch(observed -> observed.at().equals(at));
  }
}
