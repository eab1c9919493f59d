/**
 * The machine that runs the engine of a simulated world: the process, which serves requests,
 * forces, holds replies back and reopens its directory after each end; the clocks; and the faults
 * injected into them.
 *
 * <p>The engine is the real one, on a {@link io.entroq.simulator.disk.SimulatedDisk}. One thread.
 */
package io.entroq.simulator.host;
