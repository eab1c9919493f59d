package io.entroq.examples.mapreduce;

import java.time.Instant;

/**
 * The end of a job whose result was found right.
 *
 * @param words what the run that ended it had to say
 * @param at when that was
 */
public record Finished(String words, Instant at) {}
