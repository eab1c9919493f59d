/**
 * Requests on their way through the engine and back, whatever carries them: what a transport calls,
 * and what it hears.
 *
 * <p>{@link io.entroq.service.queue.QueueService} may be called on any thread, and blocks none.
 * What it answers it answers on a thread of the engine's, or on the calling one.
 */
package io.entroq.service.call;
