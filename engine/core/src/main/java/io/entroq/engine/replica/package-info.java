/**
 * An engine whose commands are put in order outside, together with those of its replicas.
 *
 * <p>{@link io.entroq.engine.replica.ReplicatedEngine} assembles it. Its {@link
 * io.entroq.engine.replica.Proposer} passes callers' commands to a {@link
 * io.entroq.engine.replica.Sequencer}; its {@link io.entroq.engine.replica.Applier} applies what
 * comes out in order and answers the callers. Neither knows how the order is agreed on.
 *
 * <p>Used by the cluster member and by the simulator. Each of the two has one thread, which the
 * user brings; the page of each method says which.
 */
package io.entroq.engine.replica;
