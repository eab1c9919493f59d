package io.entroq.engine.gateway;

/**
 * What a feed can show.
 *
 * @param firstSequence the first step whose effects are kept
 * @param lastSequence the last step that may be shown; below the first if there is none
 * @param firstTimeMs since when the state can be shown, a log time in milliseconds since the epoch;
 *     0 if it cannot
 */
public record FeedRange(long firstSequence, long lastSequence, long firstTimeMs) {}
