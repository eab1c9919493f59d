package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A task to insert. Immutable; the {@code with} methods return modified copies.
 *
 * @param id the id; if empty, one is generated
 * @param queue 1 to 1,024 bytes of UTF-8; a queue exists while it has tasks
 * @param arrival when the task becomes available
 * @param value describes the work
 * @param attempt how often work on the task has failed, normally 0
 * @param err why it failed, normally empty
 */
public record Insert(
    Optional<TaskId> id, String queue, Arrival arrival, Value value, int attempt, String err) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Insert {
    Objects.requireNonNull(id, "id");
    Checks.queue(queue);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
    Checks.err(err);
  }

  /** A task without a value, available immediately. */
  public static Insert into(String queue) {
    return new Insert(Optional.empty(), queue, Arrival.now(), Value.absent(), 0, "");
  }

  /** Sets the id. The insert fails if a task with this id exists in any queue. */
  public Insert withId(TaskId newId) {
    return new Insert(Optional.of(newId), queue, arrival, value, attempt, err);
  }

  /** Sets the id. The insert fails if a task with this id exists in any queue. */
  public Insert withId(String newId) {
    return withId(TaskId.of(newId));
  }

  public Insert withValue(Value newValue) {
    return new Insert(id, queue, arrival, newValue, attempt, err);
  }

  /** Sets the value to a text: {@link Value#text(String)}. */
  public Insert withValue(String text) {
    return withValue(Value.text(text));
  }

  /** Makes the task available at a time of the engine's clock. */
  public Insert availableAt(Instant time) {
    return withArrival(Arrival.at(time));
  }

  /** Makes the task available after a delay. */
  public Insert availableIn(Duration delay) {
    return withArrival(Arrival.in(delay));
  }

  public Insert withArrival(Arrival newArrival) {
    return new Insert(id, queue, newArrival, value, attempt, err);
  }

  public Insert withAttempt(int newAttempt, String newErr) {
    return new Insert(id, queue, arrival, value, newAttempt, newErr);
  }

  boolean hasIdIn(Set<TaskId> ids) {
    return id.filter(ids::contains).isPresent();
  }
}
