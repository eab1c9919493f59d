/**
 * Benchmarks over processes: child JVMs, and the comparison of what EntroQ and an echo serve from
 * them. One thread drives a comparison and all of its processes.
 */
package io.entroq.perf.process;
