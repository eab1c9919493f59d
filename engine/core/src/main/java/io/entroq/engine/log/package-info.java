/**
 * The log: the ordered, durable sequence of commands that is the only truth of an engine.
 *
 * <p>Here are what appends to it ({@link io.entroq.engine.log.CommandLog} and its twins in memory),
 * its place on disk and who may use that place ({@link io.entroq.engine.log.LogDirectory}), and
 * what is fixed about the bytes of a segment. One thread appends, one forces, any thread reads how
 * far both have come.
 */
package io.entroq.engine.log;
