/**
 * A run: takes peers through their turns, and handles peers that fail or hang. One thread runs it;
 * the load generator adds the callers' threads.
 */
package io.entroq.perf.peers.run;
