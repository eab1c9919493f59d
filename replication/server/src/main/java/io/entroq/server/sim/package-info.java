/**
 * The {@code sim} command: runs a simulated world, shows its progress, shrinks a world with a
 * violation, and reports the result as text or JSON. {@link io.entroq.simulator} has the world and
 * its invariants.
 *
 * <p>A world and its {@link io.entroq.server.sim.SimView} run on the thread that starts the run.
 */
package io.entroq.server.sim;
