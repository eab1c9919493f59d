/**
 * Returns tasks from dead queues to the queues they came from, in bounded batches.
 *
 * <p>Start with {@link io.entroq.api.redrive.Redrive}. The rest is public for those who run one
 * otherwise than on a thread of its own.
 */
package io.entroq.api.redrive;
