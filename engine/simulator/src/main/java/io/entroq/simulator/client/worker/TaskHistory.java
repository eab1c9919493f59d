package io.entroq.simulator.client.worker;

import java.time.Instant;

/** What has been seen of the task of a work item. */
final class TaskHistory {
  final Work work;
  final long insertedNs;

  /** Where its end is counted; null: nowhere. */
  final WorkCounter counter;

  /** A commit was answered that says that it is done. */
  boolean isCommitted;

  /** How often a handler was given its task. */
  int runs;

  /** How many failures are committed, and at which version the last of them was claimed. */
  int failures;

  int failedVersion = -1;

  /** When the task was made that says that it is done; null: none was seen. */
  Instant done;

  /** The version at which it was seen among the errors; below 0: it was not. */
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
