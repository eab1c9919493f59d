/**
 * Reads the feeds of simulated engines and members, and compares them with their state, with the
 * feed that a replay of the log gives, with the past, and with each other.
 *
 * <p>For {@link io.entroq.simulator.host} and {@link io.entroq.simulator.replica}. One thread.
 */
package io.entroq.simulator.feed;
