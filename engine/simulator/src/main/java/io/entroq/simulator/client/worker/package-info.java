/**
 * Simulated workers that run the decisions of the real {@link io.entroq.api.worker.Worker}, its
 * steps and its leases, with the real encoders and an unreliable network. Their handlers succeed,
 * fail, outlast their lease, return impossible outcomes, and kill their process. Other workers
 * check and delete the outcome of each task.
 *
 * <p>No other clients use their queues, so everything about their tasks is known: {@link
 * io.entroq.simulator.client.worker.WorkerInvariants} checks it.
 *
 * <p>Everything here belongs to one world and runs on its thread. Equal seeds give equal worlds.
 */
package io.entroq.simulator.client.worker;
