/**
 * A whole world from one seed. {@link io.entroq.simulator.world.WorldConfig} describes it, {@link
 * io.entroq.simulator.world.Simulation} runs it, and {@link io.entroq.simulator.world.Shrinker}
 * reduces a failing one.
 *
 * <p>One thread per world; worlds share nothing.
 */
package io.entroq.simulator.world;
