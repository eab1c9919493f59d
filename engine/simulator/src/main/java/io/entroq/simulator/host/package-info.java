/**
 * The machine that runs the engine of a simulated world: its process, which serves requests, forces
 * and holds replies back, and is restarted after each end; its clocks; and the faults injected into
 * them.
 *
 * <p>The engine is the real one, on a {@link io.entroq.simulator.disk.SimulatedDisk}. One thread.
 */
package io.entroq.simulator.host;
