/**
 * The interface between peers and the runner: a peer starts a server in a directory at a durability
 * class, and the server creates queues for callers.
 *
 * <p>The runner starts and closes servers on one thread; each session belongs to one caller.
 */
package io.entroq.perf.peers.peer;
