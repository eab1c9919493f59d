package io.entroq.perf.served;

/**
 * What one run of a load came to.
 *
 * @param perSecond tasks through the whole cycle
 * @param serverUs of processors that the server took for one of them, in microseconds
 * @param p50Us of one call, in microseconds
 * @param p99Us of one call, in microseconds
 */
record Measured(double perSecond, double serverUs, double p50Us, double p99Us) {}
