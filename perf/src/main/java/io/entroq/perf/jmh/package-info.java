/**
 * Microbenchmarks of the parts: each measures one thing alone, beside a ceiling where there is one.
 *
 * <p>Run by JMH only; how, and what came of it, stands in {@code perf/README.md}.
 */
package io.entroq.perf.jmh;
