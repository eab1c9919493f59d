/**
 * Encoded requests and replies between clients and the engine or cluster that serves them. {@link
 * io.entroq.simulator.network} carries them. One thread.
 */
package io.entroq.simulator.call;
