package io.entroq.perf.peers.run;

import io.entroq.load.ledger.Balance;

/**
 * The figures of one measurement.
 *
 * @param tasksPerSecond tasks through the whole cycle
 * @param p50Us of cycles, in microseconds
 * @param p99Us of cycles, in microseconds
 * @param balance accounts for all tasks, including those of the warm-up
 */
public record Measured(double tasksPerSecond, double p50Us, double p99Us, Balance balance) {}
