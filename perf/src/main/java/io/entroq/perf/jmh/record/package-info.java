/**
 * Ways to append records of one length, for {@link io.entroq.perf.jmh.LogBenchmark}: the engine's
 * log and what it is compared with. Each target is for one thread.
 */
package io.entroq.perf.jmh.record;
