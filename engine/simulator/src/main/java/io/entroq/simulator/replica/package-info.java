/**
 * Several members over one ordered log: what a cluster will be, with the log simulated and all that
 * members do with it real. {@link io.entroq.simulator.replica.Cluster} serves the same requests as
 * one engine. Equal for equal seeds. One thread.
 */
package io.entroq.simulator.replica;
