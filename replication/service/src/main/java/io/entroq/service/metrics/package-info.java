/**
 * Metrics for Prometheus. {@link io.entroq.service.metrics.Metrics}, the entry point, counts calls
 * as a filter, reads the engine's statistics when it is scraped, and renders the page. Any thread;
 * nothing blocks.
 */
package io.entroq.service.metrics;
