/**
 * The command that compares EntroQ for the JVM with other task queues, its peers. Each is measured
 * through its public interface. Nothing depends on this module.
 */
package io.entroq.perf.peers;
