/**
 * Workers: claim tasks, renew leases, run a handler, and commit, retry or quarantine.
 *
 * <p>Begin with {@link io.entroq.api.worker.Worker}. Handlers run on the worker's own threads; one
 * thread per process renews the leases of all tasks that are worked on; listeners are called on the
 * thread of the event and must be quick.
 *
 * <p>What a worker decides is apart from the threads that do it: {@link
 * io.entroq.api.worker.WorkerSteps} about one task after another, {@link
 * io.entroq.api.worker.Leases} about their leases. Runtimes that bring their own threads, or none,
 * drive these two themselves.
 */
package io.entroq.api.worker;
