/**
 * Microbenchmarks of single parts, with their ceilings. JMH runs them on threads of its own; {@code
 * perf/README.md} explains how to start them, and records the results.
 */
package io.entroq.perf.jmh;
