/**
 * Requests in flight, from the caller to the thread that owns the state and back.
 *
 * <p>A caller takes a {@link io.entroq.engine.request.RequestSlot} from the pool, within the
 * limits, and puts it into the request queue. The owner of the state executes it. The answer goes
 * through the {@link io.entroq.engine.request.SlotSink} and the {@link
 * io.entroq.engine.request.ReplyGate}, which waits for durability, to the {@link
 * io.entroq.engine.request.Completer}. Also here: waiting claims, pages of listings, and
 * acknowledgments of delivered replies. Embedded and replicated engines share all of it.
 *
 * <p>Internal to the engine. Pool, queue, limits and completion are for any thread, the rest for
 * the owner of the state.
 */
package io.entroq.engine.request;
