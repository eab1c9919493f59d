/**
 * Copies a feed to other systems: {@link io.entroq.sinks.SinkRunner} reads it and gives it, in
 * batches of whole steps, to a {@link io.entroq.sinks.FeedSink}, which keeps effects and position
 * together. There are sinks for a database, for Kafka, and for a file.
 *
 * <p>Uses the public API only. A runner and its sink are used by one thread.
 */
package io.entroq.sinks;
