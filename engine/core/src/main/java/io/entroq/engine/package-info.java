/**
 * What decides: the deterministic state machine with its off-heap stores and indexes, the log,
 * snapshots, recovery, and the engine that runs in a user's own process.
 *
 * <p>State is a fold over the log. One thread owns it; callers hand commands over and read replies.
 * Hosts of an engine call this: an embedding application, the simulator, the cluster member, and
 * the server.
 */
package io.entroq.engine;
