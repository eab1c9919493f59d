/**
 * A member of a cluster in this process: its directory, and the media driver, archive, consensus
 * module, service container and session that make it, begun and ended in the right order.
 *
 * <p>Here is also what is done to a member as a whole: taking its place when its disk is lost,
 * beginning with a backup, raising the level of all; and how its parts wait for work, and find
 * ports and files that nobody else has.
 *
 * <p>{@link io.entroq.cluster.member.ClusterMember} is the way in; its queue is used through the
 * same API as every other.
 */
package io.entroq.cluster.member;
