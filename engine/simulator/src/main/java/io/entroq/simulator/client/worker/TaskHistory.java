package io.entroq.simulator.client.worker;

import java.time.Instant;

/** What was observed of the task of a work item. */
final class TaskHistory {
  final Work work;
  final long insertedNs;

  /** Counts its end; null: none. */
  final WorkCounter counter;

  /** Whether a commit has marked it as done. */
  boolean isCommitted;

  /** The number of handler runs. */
  int runs;

  /** The committed failures, and the version at which the last failed task was claimed. */
  int failures;

  int failedVersion = -1;

  /** When its result was inserted; null: not seen. */
  Instant done;

  /** The version at which it was seen in quarantine; below 0: not seen. */
  int errorVersion = -1;

  TaskHistory(Work work, long insertedNs, WorkCounter counter) {
    this.work = work;
    this.insertedNs = insertedNs;
    this.counter = counter;
  }

  boolean isOver() {
    return done != null || errorVersion >= 0;
  }
}
