package io.entroq.perf.peers.run;

import java.time.Duration;

/**
 * How long a measurement takes.
 *
 * @param warmUp how long the callers run before anything counts
 * @param measured how long it counts
 * @param drain how long they may take afterwards to commit what is left
 */
public record Timing(Duration warmUp, Duration measured, Duration drain) {}
