package io.entroq.engine.gateway;

/**
 * What a feed can show.
 *
 * @param firstSequence the first step whose effects are kept
 * @param lastSequence the last step that may be shown; below the first if there is none
 */
public record FeedRange(long firstSequence, long lastSequence) {}
