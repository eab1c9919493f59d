/**
 * Simulated workers that run the decisions of the real {@link io.entroq.api.worker.Worker}: its
 * steps and its leases, with the real encoders and a bad network. Their handlers succeed, fail,
 * outlast their lease, ask for the impossible, and kill their process. Other workers inspect the
 * outcome of each task and delete it.
 *
 * <p>They use queues of their own, so everything that happens to their tasks is known here: {@link
 * io.entroq.simulator.client.worker.WorkerInvariants} states what must be true of it.
 *
 * <p>Everything here belongs to one world and runs on its thread. Equal seeds give equal worlds.
 */
package io.entroq.simulator.client.worker;
