/**
 * Returns tasks from dead queues to the queues they came from, in bounded batches.
 *
 * <p>Start with {@link io.entroq.api.redrive.Redrive}.
 */
package io.entroq.api.redrive;
