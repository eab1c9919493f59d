/**
 * What keeps a member's disk from filling: when snapshots are due, what of the Raft log and of old
 * snapshots is still needed by whom, and the thread that lets go of the rest, a little at a time.
 *
 * <p>{@link io.entroq.cluster.retention.MemberUpkeep} is the way in. What is decided here has
 * effects on this member's disk alone, never on the state.
 */
package io.entroq.cluster.retention;
