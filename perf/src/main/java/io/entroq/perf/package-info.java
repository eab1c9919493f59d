/**
 * Benchmarks of the product through its public interfaces. Nothing depends on this module except
 * the comparison with peers.
 *
 * <p>Each subpackage measures one subject; {@code perf/README.md} says how to run it and what came
 * of it.
 */
package io.entroq.perf;
