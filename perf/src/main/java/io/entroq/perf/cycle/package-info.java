/**
 * The cycle of a task, insert, claim and delete, measured whole, in alternating slices with the
 * ceiling that it is compared with: what the machine gives changes from second to second, the ratio
 * of neighbouring slices does not.
 *
 * <p>Each class with a main method is one measurement; {@code perf/README.md} says how to run it.
 */
package io.entroq.perf.cycle;
