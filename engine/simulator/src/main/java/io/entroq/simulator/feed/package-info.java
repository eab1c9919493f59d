/**
 * Reads the feed of simulated engines and compares it with their state, with the feed that a replay
 * of the log gives, and with the past.
 *
 * <p>For {@link io.entroq.simulator.host}. One thread.
 */
package io.entroq.simulator.feed;
