/**
 * Callers in this process: the API and the gateway over an engine's request queue.
 *
 * <p>{@link io.entroq.engine.local.LocalEntroQ} implements the API, blocking and with futures.
 * {@link io.entroq.engine.local.LocalGateway} is for servers, which bring encoded commands and
 * never block. Both submit requests through {@link io.entroq.engine.local.Submitter}, to an
 * embedded or a replicated engine.
 *
 * <p>Internal to the engine, except through {@code EntroQ} and {@code Gateway}. Any thread.
 */
package io.entroq.engine.local;
