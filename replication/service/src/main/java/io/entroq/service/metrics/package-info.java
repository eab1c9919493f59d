/**
 * Metrics for Prometheus. {@link io.entroq.service.metrics.Metrics} is the way in: it counts calls
 * as a filter, reads the engine's figures when it is scraped, and makes the page. Any thread;
 * nothing blocks.
 */
package io.entroq.service.metrics;
