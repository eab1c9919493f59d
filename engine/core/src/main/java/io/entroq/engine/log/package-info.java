/**
 * The log: the ordered, durable sequence of commands from which the state is rebuilt.
 *
 * <p>{@link io.entroq.engine.log.CommandLog} appends; {@link io.entroq.engine.log.SegmentedLog}
 * does so on disk and {@link io.entroq.engine.log.MemoryLog} in memory. {@link
 * io.entroq.engine.log.RunAppender} is the interface to what holds the bytes. {@link
 * io.entroq.engine.log.LogDirectory} is the place on disk and its lock, {@link
 * io.entroq.engine.log.SegmentLayout} the format of a segment.
 *
 * <p>One thread appends, one forces, and any thread reads how far both have come.
 */
package io.entroq.engine.log;
