package io.entroq.api;

import java.time.Instant;
import java.util.Objects;

/**
 * A task as it was when it was read, claimed, inserted or changed. Immutable.
 *
 * <p>All times are the engine's and have milliseconds.
 *
 * @param id which task
 * @param version from 0 at its insertion, up by one with every claim and every change
 * @param queue the queue that it is in
 * @param arrivalTime earliest time at which it may be claimed; after a claim, the end of the lease
 * @param claimant who claimed, inserted or changed it last and may still hold it; empty: nobody
 * @param value what the work is; {@link Value#absent()} if there is none or it was left out
 * @param created when it was inserted
 * @param modified when it was last written
 * @param claims how often it has been claimed
 * @param attempt how often work on it failed, as told by those who worked
 * @param err why, as told by them; empty if they said nothing
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
  /** Checks that nothing is missing. */
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

  /** This version of this task, in whichever queue it is. */
  public TaskRef ref() {
    return TaskRef.of(id, version);
  }

  /** The value as text: {@link Value#asText()}. */
  public String text() {
    return value.asText();
  }

  /** Whether the task may be claimed at a time. */
  public boolean isAvailableAt(Instant time) {
    return !arrivalTime.isAfter(time);
  }
}
