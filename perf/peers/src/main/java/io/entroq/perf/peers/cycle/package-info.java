/**
 * The cycle that every peer goes through: callers insert tasks, claim tasks that are available, and
 * commit them, for some time; then what is left is committed, and it is checked that each task that
 * was inserted was committed exactly once.
 *
 * <p>Each caller has a thread of its own; what they count is read when they have ended.
 */
package io.entroq.perf.peers.cycle;
