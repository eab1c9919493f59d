/**
 * Measures callers of an engine with a thread of its own, alone and together, one task at a time
 * and in batches, beside what the disk allows. {@link io.entroq.perf.callers.CallerScale} is the
 * main class; the load generator runs the callers' threads.
 */
package io.entroq.perf.callers;
