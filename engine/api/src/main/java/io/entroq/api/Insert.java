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
 * @param timeToLive after how long the task expires, counted from the insert: more than zero,
 *     {@link Claim#FOREVER} for never; empty for what the {@linkplain QueuePolicy#timeToLive()
 *     policy} of the queue says. An expired task is not handed out
 * @param trace context for whoever claims the task, such as a W3C trace parent: up to 64 bytes of
 *     UTF-8
 * @param key what {@link #withKey} has added to the queue's name; empty for nothing. The task does
 *     not keep it
 */
public record Insert(
    Optional<TaskId> id,
    String queue,
    Arrival arrival,
    Value value,
    int attempt,
    String err,
    Optional<Duration> timeToLive,
    String trace,
    String key) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Insert {
    Objects.requireNonNull(id, "id");
    Checks.queue(queue);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
    Checks.err(err);
    Checks.timeToLive(timeToLive);
    Checks.trace(trace);
    if (!key.isEmpty() && !queue.endsWith("/" + key)) {
      throw new EntroQException.InvalidArgument(
          "queue must end with the key '" + key + "', is '" + queue + "'");
    }
  }

  /** A task that expires as its queue's policy says, without a trace. */
  public Insert(
      Optional<TaskId> id, String queue, Arrival arrival, Value value, int attempt, String err) {
    this(id, queue, arrival, value, attempt, err, Optional.empty(), "", "");
  }

  /** A task without a value, available immediately. */
  public static Insert into(String queue) {
    return new Insert(Optional.empty(), queue, Arrival.now(), Value.absent(), 0, "");
  }

  /** Sets the id. The insert fails if a task with this id exists in any queue. */
  public Insert withId(TaskId newId) {
    return new Insert(
        Optional.of(newId), queue, arrival, value, attempt, err, timeToLive, trace, key);
  }

  /** Sets the id. The insert fails if a task with this id exists in any queue. */
  public Insert withId(String newId) {
    return withId(TaskId.of(newId));
  }

  /**
   * Inserts into the queue of a key: the queue's name, a slash and the key. If the queue is a
   * {@linkplain QueuePolicy.Pool pool}, keys take turns, and claims of the pool get them all.
   *
   * @param key a tenant, an account or whatever work is grouped by: not empty, without a slash, and
   *     not {@code err}, which is the queue of dead tasks
   * @throws EntroQException.InvalidArgument if it is not such a key
   */
  public Insert withKey(String key) {
    if (key.isEmpty() || key.equals("err") || key.indexOf('/') >= 0) {
      throw new EntroQException.InvalidArgument(
          "key must be a name without a slash, and not err, is '" + key + "'");
    }
    return new Insert(id, queue + "/" + key, arrival, value, attempt, err, timeToLive, trace, key);
  }

  /** The queue without the {@link #key()}: by this name, telemetry counts tasks of all keys. */
  public String destination() {
    return key.isEmpty() ? queue : queue.substring(0, queue.length() - key.length() - 1);
  }

  public Insert withValue(Value newValue) {
    return new Insert(id, queue, arrival, newValue, attempt, err, timeToLive, trace, key);
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
    return new Insert(id, queue, newArrival, value, attempt, err, timeToLive, trace, key);
  }

  public Insert withAttempt(int newAttempt, String newErr) {
    return new Insert(id, queue, arrival, value, newAttempt, newErr, timeToLive, trace, key);
  }

  /**
   * Lets the task expire so long after its insert: from then on it is not handed out.
   *
   * @param time more than zero; {@link Claim#FOREVER} for never, whatever the queue's policy says
   */
  public Insert expiresIn(Duration time) {
    return new Insert(id, queue, arrival, value, attempt, err, Optional.of(time), trace, key);
  }

  /** Hands this context to whoever claims the task: up to 64 bytes of UTF-8. */
  public Insert withTrace(String newTrace) {
    return new Insert(id, queue, arrival, value, attempt, err, timeToLive, newTrace, key);
  }

  boolean hasAttributes() {
    return timeToLive.isPresent() || !trace.isEmpty();
  }

  boolean hasIdIn(Set<TaskId> ids) {
    return id.filter(ids::contains).isPresent();
  }
}
