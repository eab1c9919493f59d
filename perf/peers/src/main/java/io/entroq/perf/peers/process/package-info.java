/**
 * Servers that run as processes of their own: starting them, waiting until they listen, stopping
 * them for a while, and killing all that they have started.
 */
package io.entroq.perf.peers.process;
