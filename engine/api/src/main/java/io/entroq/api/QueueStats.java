package io.entroq.api;

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
 */
public record QueueStats(
    String name, long tasks, long available, long claimed, long future, int maxClaims) {}
