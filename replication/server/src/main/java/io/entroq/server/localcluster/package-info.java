/**
 * All members of a cluster on this machine, each a process of its own, for trying out: which ports
 * they have, how they are started, watched and started again, and how they end.
 *
 * <p>{@link io.entroq.server.localcluster.LocalCluster} is all that others need. What members are
 * at is known from what they print.
 */
package io.entroq.server.localcluster;
