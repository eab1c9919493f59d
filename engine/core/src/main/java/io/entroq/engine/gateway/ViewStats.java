package io.entroq.engine.gateway;

/**
 * Statistics of views.
 *
 * @param open views that are open, or are being opened
 * @param opened how many were opened since the engine was
 * @param refused how often there was no place for one
 */
public record ViewStats(int open, long opened, long refused) {}
