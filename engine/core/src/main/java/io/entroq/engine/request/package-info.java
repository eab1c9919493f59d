/**
 * A request on its way from its caller to the thread that owns the state, and back.
 *
 * <p>Callers take a {@link io.entroq.engine.request.RequestSlot} from the pool, within the limits,
 * and put it into the request queue. The thread that owns the state takes it out and executes it.
 * Its answer goes through the {@link io.entroq.engine.request.SlotSink} and the {@link
 * io.entroq.engine.request.ReplyGate}, which holds it back until it is durable, to the {@link
 * io.entroq.engine.request.Completer}, which gives the slot back. Also here: claims that wait,
 * listings in pages, and the acknowledgment of delivered answers. Embedded and replicated engines
 * share all of it.
 *
 * <p>Internal to the engine. Pool, queue, limits and completion are for any thread; the rest is for
 * the thread that owns the state.
 */
package io.entroq.engine.request;
