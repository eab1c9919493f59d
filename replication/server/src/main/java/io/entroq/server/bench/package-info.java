/**
 * The load generator: callers that insert, claim and delete tasks of any {@link
 * io.entroq.api.EntroQ}, as fast as it answers or at a given rate, and account for every task.
 *
 * <p>{@link io.entroq.server.bench.BenchRun} puts it together. Whoever runs it waits on one thread;
 * each caller has a thread of its own, and callers share nothing but counters without locks. What
 * shows a run and prints its result is in {@code report}; what opens an engine for it in {@code
 * local}. Nothing else knows where the queue is.
 */
package io.entroq.server.bench;
