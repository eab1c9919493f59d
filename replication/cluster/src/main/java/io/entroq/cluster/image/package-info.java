/**
 * A member's images: the states that the snapshots of the cluster refer to, as files of the member.
 *
 * <p>The applying thread freezes the state and goes on; a thread of its own writes the image. The
 * index says which snapshots have a complete image; only these count for retention and restarts.
 */
package io.entroq.cluster.image;
