/**
 * The queue service itself: executes each call through the engine's gateway and answers it.
 *
 * <p>Transports call {@link io.entroq.service.queue.QueueService} on any thread, and it never
 * blocks. Replies come on an engine thread or on the calling thread.
 */
package io.entroq.service.queue;
