package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A task as it was when it was read, claimed, inserted or changed. Immutable.
 *
 * <p>All times are the engine's, in whole milliseconds.
 *
 * @param id the id
 * @param version 0 when inserted; every claim and every change adds one
 * @param queue the queue it is in
 * @param arrivalTime when it becomes available; for a claimed task, the end of the lease
 * @param claimant who holds it until its arrival time, or held it last and has not released it;
 *     empty if nobody
 * @param value describes the work; {@link Value#absent()} if there is none or the query omitted it
 * @param created when it was inserted
 * @param modified when it was last written
 * @param claims how often it has been claimed
 * @param attempt how often work on it has failed, as set by clients
 * @param err why it failed, as set by clients; may be empty
 */
public record Task(
    TaskId id,
    int version,
    String queue,
    Instant arrivalTime,
    String claimant,
    Value value,
    Instant created,
    Instant modified,
    int claims,
    int attempt,
    String err) {
  public Task {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(arrivalTime, "arrivalTime");
    Objects.requireNonNull(claimant, "claimant");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(created, "created");
    Objects.requireNonNull(modified, "modified");
    Objects.requireNonNull(err, "err");
  }

  /** This task at this version, in this queue. */
  public TaskRef ref() {
    return new TaskRef(id, version, queue);
  }

  /** For how long the last write made the task unavailable; for a claim or renewal, the lease. */
  public Duration lease() {
    return Duration.between(modified, arrivalTime);
  }

  /** The value as text: {@link Value#asText()}. */
  public String text() {
    return value.asText();
  }

  /** Whether the task may be claimed at a time of the engine's clock. */
  public boolean isAvailableAt(Instant time) {
    return !arrivalTime.isAfter(time);
  }
}
