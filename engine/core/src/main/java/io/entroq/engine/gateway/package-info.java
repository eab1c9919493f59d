/**
 * The way into an engine for a server: requests are encoded straight into its memory, and answers
 * read straight from there, without objects of the API in between and without a thread that waits.
 *
 * <p>{@link io.entroq.engine.gateway.Gateway} is all that a server knows of an engine; {@link
 * io.entroq.engine.embedded.EmbeddedEntroQ} has one. Everything may be called on any thread, and
 * nothing blocks; what is told of answers is told on a thread of the engine's, or on one that a
 * server has lent it.
 */
package io.entroq.engine.gateway;
