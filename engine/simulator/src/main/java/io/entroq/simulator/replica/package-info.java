/**
 * The members of a cluster over one ordered log. The log is simulated; what members do with it is
 * real, driven by events instead of threads. {@link io.entroq.simulator.replica.Cluster} serves the
 * same requests as a single engine. Equal seeds give equal behavior. One thread.
 */
package io.entroq.simulator.replica;
