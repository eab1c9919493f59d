package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

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
 * @param attributes what only some tasks have
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
    String err,
    Attributes attributes) {
  /** Why the engine moved a task to a dead queue. */
  public enum DeadReason {
    /** Its work failed too often. */
    FAILED,
    /** Its lease ended too often without an outcome. */
    LAPSED,
    /** It was too old. */
    EXPIRED,
    /** Its queue was full. */
    OVERFLOW
  }

  /**
   * That the engine moved a task to a dead queue.
   *
   * @param origin the queue it was in
   * @param reason why it was moved
   * @param at when it was moved
   */
  public record Death(String origin, DeadReason reason, Instant at) {
    public Death {
      Objects.requireNonNull(origin, "origin");
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(at, "at");
    }
  }

  /**
   * What only some tasks have, and only where there are {@linkplain EntroQ#hasPolicies() policies}.
   * Immutable.
   *
   * @param isInFlight whether somebody works on it: it was claimed with a lease, and neither its
   *     outcome nor the end of the lease is written. The end is written when a command comes to the
   *     task, so this may be true for a while longer
   * @param lapses how often in a row its lease ended without an outcome
   * @param expires when it expires; empty for never
   * @param death how it came to a dead queue; empty if it did not
   * @param trace context set by the insert; may be empty
   */
  public record Attributes(
      boolean isInFlight,
      int lapses,
      Optional<Instant> expires,
      Optional<Death> death,
      String trace) {
    private static final Attributes NONE =
        new Attributes(false, 0, Optional.empty(), Optional.empty(), "");

    public Attributes {
      Objects.requireNonNull(expires, "expires");
      Objects.requireNonNull(death, "death");
      Objects.requireNonNull(trace, "trace");
    }

    /** Those of a task that is not in flight and has nothing else. */
    public static Attributes none() {
      return NONE;
    }
  }

  /**
   * Where a task stands in its queue.
   *
   * @param ahead how many ready tasks start before it, 0 for the next to start; empty if the queue
   *     has no {@linkplain QueuePolicy.Order order}
   * @param isReady whether it is ready to start
   * @param expectedStart when it starts at the rate of its queue, if there are always workers;
   *     empty if that is not known
   */
  public record Position(OptionalLong ahead, boolean isReady, Optional<Instant> expectedStart) {
    public Position {
      Objects.requireNonNull(ahead, "ahead");
      Objects.requireNonNull(expectedStart, "expectedStart");
    }
  }

  /** A task without attributes. */
  public Task(
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
    this(
        id,
        version,
        queue,
        arrivalTime,
        claimant,
        value,
        created,
        modified,
        claims,
        attempt,
        err,
        Attributes.none());
  }

  public Task {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(arrivalTime, "arrivalTime");
    Objects.requireNonNull(claimant, "claimant");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(created, "created");
    Objects.requireNonNull(modified, "modified");
    Objects.requireNonNull(err, "err");
    Objects.requireNonNull(attributes, "attributes");
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

  /** Whether somebody works on it: {@link Attributes#isInFlight()}. */
  public boolean isInFlight() {
    return attributes.isInFlight();
  }

  /** How often in a row its lease ended without an outcome. */
  public int lapses() {
    return attributes.lapses();
  }

  /** When it expires; empty for never. */
  public Optional<Instant> expires() {
    return attributes.expires();
  }

  /** The queue from which the engine moved it to a dead queue; empty if it did not. */
  public Optional<String> origin() {
    return attributes.death().map(Death::origin);
  }

  /** Why the engine moved it to a dead queue; empty if it did not. */
  public Optional<DeadReason> reason() {
    return attributes.death().map(Death::reason);
  }

  /** When the engine moved it to a dead queue; empty if it did not. */
  public Optional<Instant> deadAt() {
    return attributes.death().map(Death::at);
  }

  /** The context that its insert set; may be empty. */
  public String trace() {
    return attributes.trace();
  }

  /** This task with another value. */
  public Task withValue(Value newValue) {
    return new Task(
        id,
        version,
        queue,
        arrivalTime,
        claimant,
        newValue,
        created,
        modified,
        claims,
        attempt,
        err,
        attributes);
  }
}
