/**
 * Encoded requests and replies between clients and whatever serves them: one engine, or several
 * members that share a log. {@link io.entroq.simulator.network} lies in between. One thread.
 */
package io.entroq.simulator.call;
