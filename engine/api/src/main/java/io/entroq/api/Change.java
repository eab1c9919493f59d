package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A task to change, with its complete new state. Immutable; the {@code with} methods return
 * modified copies.
 *
 * <p>Start with {@link #of(Task)}, which keeps everything but the version, and set what should
 * differ. The task keeps its lease unless a new arrival is set. Afterwards the requester holds the
 * task if its arrival time is in the future; otherwise nobody does.
 *
 * @param task the task and the version it must have; the queue in it is ignored
 * @param queue the new queue, 1 to 1,024 bytes of UTF-8
 * @param arrival when the task becomes available
 * @param value the new value
 * @param attempt how often work on the task has failed
 * @param err why it failed; may be empty
 */
public record Change(
    TaskRef task, String queue, Arrival arrival, Value value, int attempt, String err) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Change {
    Objects.requireNonNull(task, "task");
    Checks.queue(queue);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
    Checks.err(err);
  }

  /** A change that keeps everything, including the lease. */
  public static Change of(Task task) {
    return new Change(
        task.ref(),
        task.queue(),
        Arrival.at(task.arrivalTime()),
        task.value(),
        task.attempt(),
        task.err());
  }

  public Change withTask(TaskRef newTask) {
    return new Change(newTask, queue, arrival, value, attempt, err);
  }

  public Change withValue(Value newValue) {
    return new Change(task, queue, arrival, newValue, attempt, err);
  }

  /** Sets the value to a text: {@link Value#text(String)}. */
  public Change withValue(String text) {
    return withValue(Value.text(text));
  }

  /** Moves the task to a queue, where it is available immediately. */
  public Change moveTo(String newQueue) {
    return new Change(task, newQueue, Arrival.now(), value, attempt, err);
  }

  /** Makes the task available immediately, which ends its lease. */
  public Change availableNow() {
    return withArrival(Arrival.now());
  }

  /**
   * Makes the task available at a time of the engine's clock; the requester holds it until then.
   */
  public Change availableAt(Instant time) {
    return withArrival(Arrival.at(time));
  }

  /**
   * Makes the task available after a delay; the requester holds it until then. Use this to renew a
   * lease.
   */
  public Change availableIn(Duration delay) {
    return withArrival(Arrival.in(delay));
  }

  public Change withArrival(Arrival newArrival) {
    return new Change(task, queue, newArrival, value, attempt, err);
  }

  public Change withAttempt(int newAttempt, String newErr) {
    return new Change(task, queue, arrival, value, newAttempt, newErr);
  }
}
