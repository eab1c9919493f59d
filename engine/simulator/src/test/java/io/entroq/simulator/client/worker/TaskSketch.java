package io.entroq.simulator.client.worker;

import io.entroq.api.Task;
import java.time.Instant;

/**
 * The task of a work item, for tests.
 *
 * @param version how often it was written
 * @param claims how often it was claimed
 * @param attempt how often it has failed
 * @param createdMs when it was inserted, after some moment
 * @param modifiedMs when it was written last, after that moment
 */
record TaskSketch(
    Work work, int version, int claims, int attempt, long createdMs, long modifiedMs) {
  /** One that was inserted at that moment, and claimed once. */
  static TaskSketch of(WorkKind kind) {
    return new TaskSketch(new Work(5, kind), 1, 1, 0, 0, 0);
  }

  TaskSketch withVersion(int value) {
    return new TaskSketch(work, value, claims, attempt, createdMs, modifiedMs);
  }

  TaskSketch withClaims(int value) {
    return new TaskSketch(work, version, value, attempt, createdMs, modifiedMs);
  }

  TaskSketch withAttempt(int value) {
    return new TaskSketch(work, version, claims, value, createdMs, modifiedMs);
  }

  TaskSketch createdAt(long ms) {
    return new TaskSketch(work, version, claims, attempt, ms, ms);
  }

  TaskSketch modifiedAt(long ms) {
    return new TaskSketch(work, version, claims, attempt, createdMs, ms);
  }

  Task task() {
    Instant start = Instant.ofEpochMilli(EngineService.START_MS);
    return new Task(
        work.id(),
        version,
        WorkQueues.INBOX,
        start,
        "",
        work.value(),
        start.plusMillis(createdMs),
        start.plusMillis(modifiedMs),
        claims,
        attempt,
        attempt == 0 ? "" : "the work failed");
  }
}
