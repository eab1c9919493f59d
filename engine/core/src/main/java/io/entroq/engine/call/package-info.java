/**
 * Encodes calls of the API and decodes their results.
 *
 * <p>Each {@link io.entroq.engine.call.ApiRequest} encodes one kind of call into a request slot and
 * decodes its result. {@link io.entroq.engine.call.EncodedClient} does the same for callers that
 * carry the bytes themselves, such as the simulator.
 *
 * <p>Internal to the engine. Used by {@code local}, on the caller's thread or on the one that
 * completes futures.
 */
package io.entroq.engine.call;
