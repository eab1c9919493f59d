/**
 * Benchmarks of the product through its public interfaces. Nothing depends on this module except
 * the comparison with peers.
 *
 * <p>Each subpackage measures one subject; {@code perf/README.md} says how to run it and what came
 * of it. This package has one type alone, {@link io.entroq.perf.BuildComparison}, because it runs
 * the measurements of the others for two builds. One thread runs each measurement.
 */
package io.entroq.perf;
