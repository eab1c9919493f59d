package io.entroq.perf.process;

/**
 * The result of putting a load on one side for a while.
 *
 * @param perSecond tasks through the whole cycle
 * @param processorUs processor time of the serving side for a unit of work, in microseconds
 * @param p50Us of one call, in microseconds
 * @param p99Us of one call, in microseconds
 */
public record Run(double perSecond, double processorUs, double p50Us, double p99Us) {}
