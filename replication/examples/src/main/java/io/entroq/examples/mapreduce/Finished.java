package io.entroq.examples.mapreduce;

import java.time.Instant;

/**
 * The end of a job whose result was verified.
 *
 * @param figures the figures of the run that finished it, as text
 * @param at when it finished
 */
public record Finished(String figures, Instant at) {}
