/**
 * Policies and limiters: rules that the state machine keeps for queues.
 *
 * <p>{@link PolicyStore} holds the policies, {@link Resolution} finds the one that applies to a
 * queue, {@link RuledQueues} stores what applies and has it obeyed, {@link RuleRecords} are what a
 * queue with a policy has besides its record. {@link StartGates} decides when a task of it may
 * start, {@link Rate} computes with rates, {@link WaitingPlaces} has the queue looked at then, and
 * {@link Limiters} orders those that wait for a limiter. {@link Outcomes} and {@link StrictFronts}
 * are what work on tasks does to their queue; {@link StartForecast} answers those who look. Queues
 * without a policy cost one comparison: {@link io.entroq.engine.queue.QueueStore#isPlain}.
 *
 * <p>{@link Pools} decides whose task a claim of a pool gets: {@link PoolNodes} are the pools and
 * the queues below them, {@link PoolMembers} has the members of each in order, {@link PoolNames}
 * knows by names which queue belongs to which pool, {@link PoolPlacement} gives queues their nodes,
 * and {@link PoolWalk} has queues looked up again when policies of pools were written. Pools begin
 * with behavior level 9.
 *
 * <p>Policies are otherwise never applied to queues eagerly. Every write of a policy raises a
 * number, the epoch, and a queue looks its policy up again when it is next touched.
 *
 * <p>Only the state machine calls this, on the applying thread. From behavior level 8.
 */
package io.entroq.engine.policy;
