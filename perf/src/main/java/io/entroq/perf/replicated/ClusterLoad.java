package io.entroq.perf.replicated;

/**
 * A load that is put on a cluster by one of its members.
 *
 * @param name for the report
 * @param kind what the member is asked to do: {@code alone}, {@code flood} or {@code batches}
 * @param callers how many commands are under way, or callers
 * @param byLeader whether the member leads, or follows
 */
record ClusterLoad(String name, String kind, int callers, boolean byLeader) {
  boolean isAlone() {
    return kind.equals("alone");
  }

  boolean isInBatches() {
    return kind.equals("batches");
  }

  /** Tasks that go through the whole cycle with each command. */
  double tasksPerCommand() {
    return isInBatches() ? (double) Batch.TASKS / Batch.COMMANDS : 1;
  }
}
