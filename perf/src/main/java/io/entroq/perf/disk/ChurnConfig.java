package io.entroq.perf.disk;

import java.time.Duration;

/**
 * How tasks come and go.
 *
 * @param tasks how many there are after the growth
 * @param valueBytes average length of values, which vary from one byte to twice as much
 * @param cyclesPerSecond the most tasks replaced per second
 * @param batch tasks replaced per command
 * @param consumers how many claims wait while there are no tasks
 * @param duration without growth and drain
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
