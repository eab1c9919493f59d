package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A task to change: its whole new state. Immutable; the {@code with} methods return altered copies.
 *
 * <p>Begin with {@link #of(Task)}, which alters nothing but the version, and say what is to be
 * different. A lease that the task is under goes on unless an arrival is given; whoever gives none
 * keeps the task. Who holds it afterwards: the requester if the new arrival is in the future,
 * otherwise nobody.
 *
 * @param task which version of which task; its queue is not looked at
 * @param queue where the task is to be, 1 to 1,024 bytes
 * @param arrival when it is to be available
 * @param value its value
 * @param attempt how often work on it has failed
 * @param err why
 */
public record Change(
    TaskRef task, String queue, Arrival arrival, Value value, int attempt, String err) {
  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public Change {
    Objects.requireNonNull(task, "task");
    Checks.queue(queue);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
    Checks.err(err);
  }

  /** A change that leaves everything as it is, the lease included. */
  public static Change of(Task task) {
    return new Change(
        task.ref(),
        task.queue(),
        Arrival.at(task.arrivalTime()),
        task.value(),
        task.attempt(),
        task.err());
  }

  /** The same for another version of the task. */
  public Change withTask(TaskRef newTask) {
    return new Change(newTask, queue, arrival, value, attempt, err);
  }

  /** The same with another value. */
  public Change withValue(Value newValue) {
    return new Change(task, queue, arrival, newValue, attempt, err);
  }

  /** The same with the UTF-8 bytes of a text as the value. */
  public Change withValue(String text) {
    return withValue(Value.text(text));
  }

  /** The same, moved to a queue and available there at once. */
  public Change moveTo(String newQueue) {
    return new Change(task, newQueue, Arrival.now(), value, attempt, err);
  }

  /** The same, available at once: a lease ends. */
  public Change availableNow() {
    return withArrival(Arrival.now());
  }

  /** The same, available from a time of the engine's clock; until then it is the requester's. */
  public Change availableAt(Instant time) {
    return withArrival(Arrival.at(time));
  }

  /**
   * The same, available after a while; until then it is the requester's. This is also how a lease
   * is renewed.
   */
  public Change availableIn(Duration delay) {
    return withArrival(Arrival.in(delay));
  }

  /** The same with another arrival. */
  public Change withArrival(Arrival newArrival) {
    return new Change(task, queue, newArrival, value, attempt, err);
  }

  /** The same with another history of failed work. */
  public Change withAttempt(int newAttempt, String newErr) {
    return new Change(task, queue, arrival, value, newAttempt, newErr);
  }
}
