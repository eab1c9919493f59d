package io.entroq.perf.peers.run;

import java.time.Duration;

/**
 * The durations of a measurement.
 *
 * @param warmUp how long callers run before it counts
 * @param measured how long it counts
 * @param drain how long callers may take afterwards to commit remaining tasks
 */
public record Timing(Duration warmUp, Duration measured, Duration drain) {}
