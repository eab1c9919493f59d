/**
 * The mirror of a member: what the cluster has agreed to, written down once more in the format of
 * an engine's own log, with its snapshots, so that every tool for logs works on the directory of a
 * member and an engine can be opened from it. It decides nothing: a member is right without it.
 *
 * <p>{@link io.entroq.cluster.mirror.Mirror} is what the applying thread knows of it: each record
 * goes into a queue that has a bound, and whatever does not fit is left out rather than waited for.
 * Only before somebody else freezes the state is a snapshot that is being written given up, which
 * takes milliseconds. Behind the queue a thread of the mirror's own writes, and another one
 * snapshots. What cannot be shown to be what the cluster has agreed to is set aside and written
 * anew; a mirror with a gap never looks whole.
 */
package io.entroq.cluster.mirror;
