package io.entroq.perf.disk;

import java.time.Duration;

/**
 * How tasks come and go.
 *
 * @param tasks how many there are once it has grown
 * @param valueBytes how long their values are on average; they vary from one byte to twice as much
 * @param cyclesPerSecond how many tasks are claimed, deleted and replaced in a second at most
 * @param batch how many of them by one command
 * @param consumers how many claims wait while there is nothing
 * @param duration how long it takes, growth and drain left out
 * @param seed of the lengths and contents of values
 */
record ChurnConfig(
    int tasks,
    int valueBytes,
    int cyclesPerSecond,
    int batch,
    int consumers,
    Duration duration,
    long seed) {}
