/**
 * The command that measures peers and EntroQ for the JVM side by side.
 *
 * <p>Nothing depends on this. The engine is measured through its public interface, as the peers are
 * through theirs.
 */
package io.entroq.perf.peers;
