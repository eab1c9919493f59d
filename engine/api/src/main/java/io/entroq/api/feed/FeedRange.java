package io.entroq.api.feed;

/**
 * What a feed can show at present.
 *
 * @param first the first step whose effects are kept; a feed can begin after the one before
 * @param last the last step whose effects may be shown; below the first if nothing is kept
 */
public record FeedRange(long first, long last) {}
