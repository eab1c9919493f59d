/**
 * A whole world from one seed: {@link io.entroq.simulator.world.WorldConfig} says what it is made
 * of, {@link io.entroq.simulator.world.Simulation} runs it and reports, and {@link
 * io.entroq.simulator.world.Shrinker} makes one in which something went wrong smaller.
 *
 * <p>One thread per world; worlds share nothing.
 */
package io.entroq.simulator.world;
