/**
 * A member of a cluster in this process: its directory, and the media driver, archive, consensus
 * module, service container and session that make it, begun and ended in the right order.
 *
 * <p>{@link io.entroq.cluster.member.ClusterMember} is the way in; its queue is used through the
 * same API as every other.
 */
package io.entroq.cluster.member;
