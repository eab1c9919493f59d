/**
 * A trace of each request, sent to a collector over OTLP.
 *
 * <p>{@link io.entroq.service.tracing.Tracing} is all that others need. Unless it is told where to
 * send traces to, nothing of OpenTelemetry is loaded. Any thread; nothing blocks.
 */
package io.entroq.service.tracing;
