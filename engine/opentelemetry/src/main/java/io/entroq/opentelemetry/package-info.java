/**
 * Traces and metrics of producers and workers by OpenTelemetry. Callable from any thread. Needs the
 * API of the queue and that of OpenTelemetry, nothing else.
 */
package io.entroq.opentelemetry;
