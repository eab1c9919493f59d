/**
 * For those who implement an {@link io.entroq.api.EntroQ}, or put something between a program and
 * its queue: the engine, the client, telemetry. The types are apart from {@code io.entroq.api}
 * because users do not need them. Called on any thread.
 */
package io.entroq.api.spi;
