package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Statistics of a queue. {@code tasks = available + claimed + future}.
 *
 * @param name name of the queue
 * @param tasks number of tasks
 * @param available tasks whose arrival time is reached
 * @param claimed tasks whose arrival time is in the future and that have been claimed at least
 *     once: under lease, or postponed for a retry
 * @param future tasks whose arrival time is in the future and that have never been claimed
 * @param maxClaims the highest {@link Task#claims()} of any task
 * @param oldestAvailableAge how long the oldest available task has been available: the engine's
 *     time minus its {@link Task#arrivalTime()}, in whole milliseconds; empty if no task is
 *     available
 * @param inFlight tasks that somebody works on; this and what follows only where there are
 *     {@linkplain EntroQ#hasPolicies() policies}
 * @param claimable available tasks that a claim would get now, as far as the queue's rules go: 0
 *     while it is paused or has to wait
 * @param pausedUntil the end of its pause, {@link Instant#MAX} if it lasts until resumed; empty if
 *     it is not paused
 * @param nextStart when its rate or breaker lets the next task start; empty if it would now
 * @param lapsed how many leases have ended without an outcome by then, since the queue has rules;
 *     one may be counted when the next command looks at its task
 * @param dead how many of its tasks have failed or lapsed too often, expired, or made room for
 *     others; each went to another queue or was deleted
 * @param bytes bytes of values and error texts of its tasks
 */
public record QueueStats(
    String name,
    long tasks,
    long available,
    long claimed,
    long future,
    int maxClaims,
    Optional<Duration> oldestAvailableAge,
    long inFlight,
    long claimable,
    Optional<Instant> pausedUntil,
    Optional<Instant> nextStart,
    long lapsed,
    long dead,
    long bytes) {
  /** Statistics of a queue where there are no policies. */
  public QueueStats(
      String name,
      long tasks,
      long available,
      long claimed,
      long future,
      int maxClaims,
      Optional<Duration> oldestAvailableAge) {
    this(
        name,
        tasks,
        available,
        claimed,
        future,
        maxClaims,
        oldestAvailableAge,
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        0);
  }

  public QueueStats {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(oldestAvailableAge, "oldestAvailableAge");
    Objects.requireNonNull(pausedUntil, "pausedUntil");
    Objects.requireNonNull(nextStart, "nextStart");
  }
}
