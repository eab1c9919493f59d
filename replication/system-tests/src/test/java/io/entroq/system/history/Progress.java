package io.entroq.system.history;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Whether callers make progress: a cluster that refuses everything would violate nothing else. */
public final class Progress {
  private Progress() {}

  /**
   * Returns a violation for each caller without progress.
   *
   * @param since operations that began after the cluster should be healthy
   * @param callers who must have completed an operation of each kind
   * @param expected not empty
   */
  public static List<Violation> missing(
      History since, Set<String> callers, Set<OperationKind> expected) {
    List<Violation> missing = new ArrayList<>();
    for (String caller : callers) {
      Set<OperationKind> kinds = EnumSet.copyOf(expected);
      since.operations().stream()
          .filter(op -> op.invocation().caller().equals(caller) && hasProgressed(op))
          .forEach(op -> kinds.remove(op.invocation().kind()));
      if (!kinds.isEmpty()) {
        missing.add(
            new Violation(
                ViolationKind.STUCK, caller + " makes no progress and waits for " + kinds));
      }
    }
    return missing;
  }

  /** Whether a caller has completed any operation. */
  public static boolean hasProgressed(History since, String caller) {
    return since.operations().stream()
        .anyMatch(op -> op.invocation().caller().equals(caller) && hasProgressed(op));
  }

  /** A claim that finds nothing is no progress. */
  private static boolean hasProgressed(Operation op) {
    boolean isEmptyClaim =
        op.invocation().kind() == OperationKind.CLAIM
            && op.response().map(Response::tasks).orElse(List.of()).isEmpty();
    return op.isAcknowledged() && !isEmptyClaim;
  }
}
