/**
 * The members of a cluster over one ordered log: the log simulated, and all that members do with it
 * as it is in a cluster, driven by events in place of threads. {@link
 * io.entroq.simulator.replica.Cluster} serves the same requests as one engine. Equal for equal
 * seeds. One thread.
 */
package io.entroq.simulator.replica;
