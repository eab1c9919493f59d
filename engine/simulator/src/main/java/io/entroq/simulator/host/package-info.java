/**
 * The machine on which a simulated world's engine runs: the process around the real engine, which
 * serves requests, forces, holds replies back and opens its directory again whenever it has ended;
 * its clocks; and the trouble that it is made.
 *
 * <p>The engine is the real one, over a {@link io.entroq.simulator.disk.SimulatedDisk}. One thread.
 */
package io.entroq.simulator.host;
