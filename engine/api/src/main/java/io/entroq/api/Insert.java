package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A task to insert. Immutable; the {@code with} methods return altered copies.
 *
 * @param id its id; empty: one is made for it
 * @param queue where it goes, 1 to 1,024 bytes; a queue comes into being with its first task
 * @param arrival when it becomes available
 * @param value what the work is
 * @param attempt how often work on it has failed already, normally 0
 * @param err why, normally empty
 */
public record Insert(
    Optional<TaskId> id, String queue, Arrival arrival, Value value, int attempt, String err) {
  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public Insert {
    Objects.requireNonNull(id, "id");
    Checks.queue(queue);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
    Checks.err(err);
  }

  /** A task without a value that is available at once. */
  public static Insert into(String queue) {
    return new Insert(Optional.empty(), queue, Arrival.now(), Value.absent(), 0, "");
  }

  /** The same with an id of the caller's; inserting it fails if any queue has a task of that id. */
  public Insert withId(TaskId newId) {
    return new Insert(Optional.of(newId), queue, arrival, value, attempt, err);
  }

  /** The same with an id of the caller's; inserting it fails if any queue has a task of that id. */
  public Insert withId(String newId) {
    return withId(TaskId.of(newId));
  }

  /** The same with a value. */
  public Insert withValue(Value newValue) {
    return new Insert(id, queue, arrival, newValue, attempt, err);
  }

  /** The same with the UTF-8 bytes of a text as its value. */
  public Insert withValue(String text) {
    return withValue(Value.text(text));
  }

  /** The same, available only from a time of the engine's clock. */
  public Insert availableAt(Instant time) {
    return withArrival(Arrival.at(time));
  }

  /** The same, available only after a while. */
  public Insert availableIn(Duration delay) {
    return withArrival(Arrival.in(delay));
  }

  /** The same with another arrival. */
  public Insert withArrival(Arrival newArrival) {
    return new Insert(id, queue, newArrival, value, attempt, err);
  }

  /** The same with a history of failed work. */
  public Insert withAttempt(int newAttempt, String newErr) {
    return new Insert(id, queue, arrival, value, newAttempt, newErr);
  }

  boolean hasIdIn(Set<TaskId> ids) {
    return id.filter(ids::contains).isPresent();
  }
}
