/**
 * A member's mirror: the committed log in the format of an engine's own log, with snapshots, so
 * that all log tools work on a member's directory and an engine can open it. The member never
 * depends on it.
 *
 * <p>The applying thread uses {@link io.entroq.cluster.mirror.Mirror}. Records go through a bounded
 * queue to a writer thread; if the queue is full, the mirror drops out and restarts later instead
 * of delaying commands. Snapshots are written by another thread, and one in progress is abandoned,
 * within milliseconds, when the cluster takes its own. A mirror that cannot be verified against the
 * cluster's log is set aside and rewritten; it never has a gap.
 */
package io.entroq.cluster.mirror;
