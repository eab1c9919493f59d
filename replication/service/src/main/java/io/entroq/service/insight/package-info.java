/**
 * What people want to know of queues: counts, rates, failures, workers, dead letters and problems.
 * {@link io.entroq.service.insight.Insight}, the entry point, belongs to a server and stands
 * directly before its {@code QueueService}, behind authorization.
 *
 * <p>All of it is a picture in memory that begins with the process. The thread {@code
 * entroq-insight} reads the feed and counts; {@code entroq-insight-answers} answers questions, so
 * that no event loop and no thread of the engine sorts anything. A {@code QueueSweep} lists all
 * queues now and then, only while somebody asks, and for at most a hundredth of the time.
 */
package io.entroq.service.insight;
