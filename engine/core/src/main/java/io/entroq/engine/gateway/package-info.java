/**
 * A server's way into an engine: requests are encoded straight into the engine's buffers and
 * answers are read from there, without API objects and without a waiting thread.
 *
 * <p>A server uses nothing of an engine but {@link io.entroq.engine.gateway.Gateway}; {@link
 * io.entroq.engine.embedded.EmbeddedEntroQ} has one. Any thread may call everything, and nothing
 * blocks. Completions run on a thread of the engine, or on one that the server has lent it.
 */
package io.entroq.engine.gateway;
