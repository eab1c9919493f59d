/**
 * The command line, {@code entroq-simulator.jar}: runs a simulated world, shows its progress,
 * shrinks a world with a violation, and reports the result as text or JSON. Nothing calls this
 * package but its tests; {@link io.entroq.simulator} has the world and its invariants.
 *
 * <p>A world and its {@link io.entroq.simulator.cli.SimView} run on the thread that starts the run.
 */
package io.entroq.simulator.cli;
