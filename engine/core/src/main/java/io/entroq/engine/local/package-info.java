/**
 * Callers in this process: the API and the gateway over the request queue of an engine.
 *
 * <p>{@link io.entroq.engine.local.LocalEntroQ} implements the API, blocking and with futures.
 * {@link io.entroq.engine.local.LocalGateway} is for servers, which bring encoded commands and
 * never block. Both submit their requests through {@link io.entroq.engine.local.Submitter}, whether
 * the engine behind it is embedded or replicated.
 *
 * <p>Internal to the engine, except through {@code EntroQ} and {@code Gateway}. Any thread.
 */
package io.entroq.engine.local;
