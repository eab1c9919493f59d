/**
 * An OpenTelemetry span for each call, sent to a collector over OTLP.
 *
 * <p>{@link io.entroq.service.tracing.Tracing} is the entry point. It loads OpenTelemetry only if a
 * collector is configured. Any thread; nothing blocks.
 */
package io.entroq.service.tracing;
