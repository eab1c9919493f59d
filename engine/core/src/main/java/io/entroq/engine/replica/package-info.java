/**
 * An engine whose commands are ordered outside, together with those of its replicas.
 *
 * <p>{@link io.entroq.engine.replica.ReplicatedEngine} assembles it. Its {@link
 * io.entroq.engine.replica.Proposer} passes callers' commands to a {@link
 * io.entroq.engine.replica.Sequencer}; its {@link io.entroq.engine.replica.Applier} applies
 * committed commands and answers the callers. Neither depends on how the order is agreed on.
 *
 * <p>Used by the cluster member and the simulator. Each class belongs to the proposing or the
 * applying thread, which the user supplies; its Javadoc says which.
 */
package io.entroq.engine.replica;
