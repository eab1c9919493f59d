/**
 * The processes of {@code entroq cluster}: assigns ports, starts one process per member, restarts
 * those that die, and stops them. Knows the state of members from what they print.
 *
 * <p>Used through {@link io.entroq.server.localcluster.LocalCluster}, on the main thread.
 */
package io.entroq.server.localcluster;
