/**
 * Deletes what is in queues and namespaces whose names say when it may go: {@code /jobs/gc=<time>}.
 *
 * <p>The server starts one {@link io.entroq.service.collector.Collector}, which works on a thread
 * of its own and through the public API, like any other claimant. In a cluster only the leader's
 * works.
 */
package io.entroq.service.collector;
