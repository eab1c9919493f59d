/**
 * Workers of a simulated world that run the decisions of the real {@link
 * io.entroq.api.worker.Worker}: its steps and its leases, over the real encoders and a bad network.
 * Their handlers succeed, fail, take longer than a lease, ask for what is not possible, and kill
 * the process that runs them. Other workers of the same make look at what came of each task, and
 * bury it.
 *
 * <p>Their tasks are theirs alone, in queues of their own, so that all that happens to one is known
 * here: {@link io.entroq.simulator.client.worker.WorkerInvariants} says what must be true of it.
 *
 * <p>Everything here belongs to one world and runs on its one thread; equal seeds give equal
 * worlds.
 */
package io.entroq.simulator.client.worker;
