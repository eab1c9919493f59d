/**
 * What it costs: JMH benchmarks, an open-loop load generator, peers side by side, and plots.
 *
 * <p>Nothing depends on this. It measures the product through the doors that users have.
 */
package io.entroq.perf;
