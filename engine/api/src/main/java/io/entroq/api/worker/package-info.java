/**
 * Work on tasks without writing the loop: claim, renew, handle, commit, retry, quarantine.
 *
 * <p>Begin with {@link io.entroq.api.worker.Worker}. Handlers run on the worker's own threads; one
 * thread per process renews the leases of all tasks that are worked on; listeners are called on
 * whichever thread an event happens on and must be quick.
 */
package io.entroq.api.worker;
