/**
 * Runs the real state machine and the reference model side by side on the commands of one seed,
 * stops at the first difference and makes the way there short.
 *
 * <p>Tests and the command line call this. A hunt runs on one thread and reads no clock.
 */
package io.entroq.simulator.hunt;
