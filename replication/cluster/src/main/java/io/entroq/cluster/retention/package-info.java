/**
 * What keeps a member's disk from filling: when snapshots are due, what of the Raft log and of old
 * snapshots is still needed by whom, and the thread that lets go of the rest, a little at a time.
 *
 * <p>{@link io.entroq.cluster.retention.MemberUpkeep} is the way in. What is kept and what goes is
 * decided for this member's disk alone. The leader's has all members take snapshots, and a member
 * that can never catch up is ended here; the state changes by it only when all begin with a seed.
 */
package io.entroq.cluster.retention;
