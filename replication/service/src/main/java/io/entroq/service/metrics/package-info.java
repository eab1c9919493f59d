/**
 * The server in numbers, for Prometheus.
 *
 * <p>{@link io.entroq.service.metrics.Metrics} is all that others need: it stands before services
 * to count what they are asked, reads off the engine when somebody looks, and makes the page. Any
 * thread; nothing blocks.
 */
package io.entroq.service.metrics;
