package io.entroq.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a queue stands. {@code tasks = available + claimed + future}.
 *
 * @param name of the queue
 * @param tasks how many there are
 * @param available how many are due
 * @param claimed how many are not due and have been claimed at least once: under lease, or put off
 *     by those who worked on them
 * @param future how many are not due and have never been claimed
 * @param maxClaims the highest {@link Task#claims()} of any of them
 * @param oldestAvailableAge how long ago, by the engine's clock, the earliest {@link
 *     Task#arrivalTime()} of any available task was: for how long work has been lying here that
 *     nobody has taken. In milliseconds, zero in the one at which a task is due; empty if none is
 *     available
 */
public record QueueStats(
    String name,
    long tasks,
    long available,
    long claimed,
    long future,
    int maxClaims,
    Optional<Duration> oldestAvailableAge) {
  /** Checks that nothing is missing. */
  public QueueStats {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(oldestAvailableAge, "oldestAvailableAge");
  }
}
