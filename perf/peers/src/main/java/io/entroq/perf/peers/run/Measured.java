package io.entroq.perf.peers.run;

import io.entroq.load.ledger.Balance;

/**
 * What one measurement found.
 *
 * @param tasksPerSecond tasks that went through the whole cycle, per second
 * @param p50Us how long half of the cycles took at most, microseconds
 * @param p99Us how long 99 of 100 cycles took at most, microseconds
 * @param balance what became of the tasks, those of the warm-up included
 */
public record Measured(double tasksPerSecond, double p50Us, double p99Us, Balance balance) {}
