package io.entroq.api;

import java.time.Duration;
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
 */
public record QueueStats(
    String name,
    long tasks,
    long available,
    long claimed,
    long future,
    int maxClaims,
    Optional<Duration> oldestAvailableAge) {
  public QueueStats {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(oldestAvailableAge, "oldestAvailableAge");
  }
}
