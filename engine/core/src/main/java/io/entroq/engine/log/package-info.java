/**
 * The log: the ordered, durable sequence of commands that is the only truth of an engine.
 *
 * <p>Here are what appends to it ({@link io.entroq.engine.log.CommandLog}, on disk {@link
 * io.entroq.engine.log.SegmentedLog}, and its twins in memory), the seam to what holds the bytes
 * ({@link io.entroq.engine.log.RunAppender}), the place on disk and who may use that place ({@link
 * io.entroq.engine.log.LogDirectory}), and what is fixed about the bytes of a segment. One thread
 * appends, one forces, any thread reads how far both have come.
 */
package io.entroq.engine.log;
