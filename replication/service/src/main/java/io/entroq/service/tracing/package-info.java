/**
 * An OpenTelemetry span for each call, sent to a collector over OTLP.
 *
 * <p>{@link io.entroq.service.tracing.Tracing} is the way in. Without a collector nothing of
 * OpenTelemetry is loaded. Any thread; nothing blocks.
 */
package io.entroq.service.tracing;
