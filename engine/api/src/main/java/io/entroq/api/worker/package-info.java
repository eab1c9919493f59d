/**
 * Workers: claim tasks, renew leases, run a handler, and commit, retry or quarantine.
 *
 * <p>Start with {@link io.entroq.api.worker.Worker}. Handlers run on the worker's threads. One
 * thread per EntroQ renews the leases of all tasks being handled. Listeners are called on the
 * thread of the event and must be quick.
 *
 * <p>A worker's decisions are separate from its threads: {@link io.entroq.api.worker.WorkerSteps}
 * decides about tasks, {@link io.entroq.api.worker.Leases} about their leases. Runtimes with their
 * own threads, or none, drive these two directly.
 */
package io.entroq.api.worker;
