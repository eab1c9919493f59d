/** EntroQ for the JVM as a peer among others, through its public interface. */
package io.entroq.perf.peers.embedded;
