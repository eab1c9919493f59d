/**
 * The load generator: callers insert, claim and delete tasks, as fast as the queue answers or at a
 * given rate, and account for every task. Benchmarks, {@code entroq bench} and the comparison with
 * peers use it.
 *
 * <p>{@link io.entroq.load.LoadRun} is the entry point. It runs on one thread; each caller has a
 * thread of its own, and callers share only counters without locks.
 */
package io.entroq.load;
