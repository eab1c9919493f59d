/**
 * The log: the ordered, durable sequence of commands from which the state is rebuilt.
 *
 * <p>{@link io.entroq.engine.log.CommandLog} is implemented on disk by {@link
 * io.entroq.engine.log.SegmentedLog} and in memory by {@link io.entroq.engine.log.MemoryLog}.
 * {@link io.entroq.engine.log.RunAppender} writes the bytes. {@link
 * io.entroq.engine.log.LogDirectory} is the directory with its lock, {@link
 * io.entroq.engine.log.SegmentLayout} the format of a segment.
 *
 * <p>One thread appends, one forces, and any thread may read how far both have come.
 */
package io.entroq.engine.log;
