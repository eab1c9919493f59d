/**
 * Bounds a member's disk use: decides when snapshots are due, which part of the Raft log and which
 * old snapshots are still needed, and deletes the rest a little at a time.
 *
 * <p>{@link io.entroq.cluster.retention.MemberUpkeep} is the entry point and has a thread of its
 * own. Each member decides for its own disk. The leader also requests snapshots of all members. A
 * member that can no longer catch up is stopped here.
 */
package io.entroq.cluster.retention;
