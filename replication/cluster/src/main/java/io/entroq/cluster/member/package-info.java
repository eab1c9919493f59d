/**
 * A cluster member in this process: its directory, and the media driver, archive, consensus module,
 * service container and session, started and stopped in order.
 *
 * <p>{@link io.entroq.cluster.member.ClusterMember} is the entry point; its queue has the same API
 * as every other. Here too are operations on a whole member: replacement after disk loss, start
 * from a backup, and raising the behavior level. Used by servers and by programs that host a
 * member; each class names its threads.
 */
package io.entroq.cluster.member;
