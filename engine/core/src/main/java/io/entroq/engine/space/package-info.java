/**
 * Room on the disk: how much there is, and what is refused when it runs out, so that the engine
 * ends neither by a signal of the file system nor with half a record.
 *
 * <p>The guard belongs to the engine's thread and makes no object unless it refuses; what it
 * publishes may be read by any.
 */
package io.entroq.engine.space;
