/**
 * Measures the whole cycle of a task (insert, claim, delete) in alternating slices with its
 * ceiling. {@link io.entroq.perf.cycle.CycleShare} is the main class, and one thread runs it.
 */
package io.entroq.perf.cycle;
