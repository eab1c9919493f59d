/**
 * Benchmarks of the product through its public interfaces. Only the comparison with peers depends
 * on this module.
 *
 * <p>Each subpackage measures one subject; {@code perf/README.md} explains how to run them, and
 * records the results. This package has one type, {@link io.entroq.perf.BuildComparison}, because
 * it runs the benchmarks of the others for two builds. One thread runs each benchmark.
 */
package io.entroq.perf;
