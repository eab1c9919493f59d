package io.entroq.engine.gateway;

/**
 * Statistics of a feed. What is counted is counted since the engine was opened.
 *
 * @param readers readers that are open
 * @param replays how many of them read history at present
 * @param replaysOpened how often a reader began to read history
 * @param overruns how often a reader was too slow for what is in memory
 * @param effects effects shown to all readers together
 * @param kept what can be read at present
 */
public record FeedStats(
    int readers, int replays, long replaysOpened, long overruns, long effects, FeedRange kept) {}
