package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A task to change: its complete new state, or its lease alone. Immutable; the {@code with} methods
 * return modified copies.
 *
 * <p>To renew or release a lease, use {@link #renew} or {@link #release}: nothing else is sent,
 * stored or changed. Otherwise start with {@link #of(Task)}, which keeps everything but the
 * version, and set what should differ. The task keeps its lease unless a new arrival is set.
 * Afterwards the requester holds the task if its arrival time is in the future; otherwise nobody
 * does.
 *
 * @param task the task, the version it must have and the queue it must be in
 * @param queue the new queue, 1 to 1,024 bytes of UTF-8
 * @param arrival when the task becomes available
 * @param value the new value
 * @param attempt how often work on the task has failed
 * @param err why it failed; may be empty
 * @param mode what the change does besides
 * @param timeToLive after how long the task expires, counted from the change: more than zero,
 *     {@link Claim#FOREVER} for never; empty to keep what it was
 */
public record Change(
    TaskRef task,
    String queue,
    Arrival arrival,
    Value value,
    int attempt,
    String err,
    Mode mode,
    Optional<Duration> timeToLive) {
  /** What a change does. */
  public enum Mode {
    /** Replaces the data and keeps the number of claims. */
    DEFAULT,
    /** The same, and sets the number of claims to 0. */
    RESET_CLAIMS,
    /** Changes the arrival time, and with it the lease; other data must not be given. */
    LEASE,
    /** Ends the lease, whoever holds the task; no data must be given. */
    TAKE_BACK
  }

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Change {
    Objects.requireNonNull(task, "task");
    Checks.queue(queue);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
    Checks.err(err);
    Checks.timeToLive(timeToLive);
    if ((mode == Mode.LEASE || mode == Mode.TAKE_BACK)
        && !(value.isAbsent()
            && attempt == 0
            && err.isEmpty()
            && queue.equals(task.queue())
            && timeToLive.isEmpty())) {
      throw new EntroQException.InvalidArgument(
          "a lease change of task " + task.id() + " may set only its arrival");
    }
    if (mode == Mode.TAKE_BACK && !arrival.equals(Arrival.now())) {
      throw new EntroQException.InvalidArgument(
          "task " + task.id() + " is available at once when it is taken back; set no arrival");
    }
  }

  /** A change of the data, which keeps the number of claims. */
  public Change(TaskRef task, String queue, Arrival arrival, Value value, int attempt, String err) {
    this(task, queue, arrival, value, attempt, err, Mode.DEFAULT);
  }

  /** A change that keeps when the task expires. */
  public Change(
      TaskRef task,
      String queue,
      Arrival arrival,
      Value value,
      int attempt,
      String err,
      Mode mode) {
    this(task, queue, arrival, value, attempt, err, mode, Optional.empty());
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

  /**
   * Changes the lease alone: the requester holds the task this long from now on.
   *
   * @param lease zero or more; zero releases the task
   */
  public static Change renew(Task task, Duration lease) {
    return leaseOf(task, Arrival.in(lease), Mode.LEASE);
  }

  /** Ends the lease, so that the task is available immediately, and changes nothing else. */
  public static Change release(Task task) {
    return leaseOf(task, Arrival.now(), Mode.LEASE);
  }

  /**
   * Takes the task back from whoever holds it: as {@link #release}, but of somebody else's lease.
   * Its version goes up, so what the holder writes later fails. It is no failure: {@link
   * Task#attempt()}, {@link Task#claims()} and lapses stay, and the policy of the queue counts
   * neither a failure nor a success. A task that nobody holds becomes available too.
   *
   * <p>Doc sets that the holder has claimed stay held until their own time.
   *
   * <p>Needs behavior level 11; below, the modification fails with {@link
   * EntroQException.InvalidArgument}. Only this product's servers have it.
   */
  public static Change takeBack(Task task) {
    return leaseOf(task, Arrival.now(), Mode.TAKE_BACK);
  }

  private static Change leaseOf(Task task, Arrival arrival, Mode mode) {
    return new Change(task.ref(), task.queue(), arrival, Value.absent(), 0, "", mode);
  }

  public Change withTask(TaskRef newTask) {
    return new Change(newTask, queue, arrival, value, attempt, err, mode, timeToLive);
  }

  public Change withValue(Value newValue) {
    return new Change(task, queue, arrival, newValue, attempt, err, mode, timeToLive);
  }

  /** Sets the value to a text: {@link Value#text(String)}. */
  public Change withValue(String text) {
    return withValue(Value.text(text));
  }

  /** Moves the task to a queue, where it is available immediately. */
  public Change moveTo(String newQueue) {
    return new Change(task, newQueue, Arrival.now(), value, attempt, err, mode, timeToLive);
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

  /** Makes the task available after a delay; the requester holds it until then. */
  public Change availableIn(Duration delay) {
    return withArrival(Arrival.in(delay));
  }

  public Change withArrival(Arrival newArrival) {
    return new Change(task, queue, newArrival, value, attempt, err, mode, timeToLive);
  }

  public Change withAttempt(int newAttempt, String newErr) {
    return new Change(task, queue, arrival, value, newAttempt, newErr, mode, timeToLive);
  }

  /**
   * Lets the task expire so long after the change.
   *
   * @param time more than zero; {@link Claim#FOREVER} for never
   */
  public Change expiresIn(Duration time) {
    return new Change(task, queue, arrival, value, attempt, err, mode, Optional.of(time));
  }

  /** Sets the number of claims to 0. */
  public Change resettingClaims() {
    return new Change(task, queue, arrival, value, attempt, err, Mode.RESET_CLAIMS, timeToLive);
  }
}
