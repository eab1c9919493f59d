/**
 * Measures the whole cycle of a task (insert, claim, delete) in alternating slices with its
 * ceiling, what rules and pools cost it, and inserts into topics beside plain ones. {@link
 * io.entroq.perf.cycle.CycleShare}, {@link io.entroq.perf.cycle.RulesShare} and {@link
 * io.entroq.perf.cycle.TopicShare} are the main classes, and one thread runs them.
 */
package io.entroq.perf.cycle;
