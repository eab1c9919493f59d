/**
 * Measures the whole cycle of a task (insert, claim, delete) in alternating slices with its
 * ceiling, what rules, pools, readers of the feed and counts of events cost it, and inserts into
 * topics beside plain ones. {@link io.entroq.perf.cycle.CycleShare}, {@link
 * io.entroq.perf.cycle.RulesShare}, {@link io.entroq.perf.cycle.FeedShare}, {@link
 * io.entroq.perf.cycle.RateCost} and {@link io.entroq.perf.cycle.TopicShare} are the main classes,
 * and one thread runs them.
 */
package io.entroq.perf.cycle;
