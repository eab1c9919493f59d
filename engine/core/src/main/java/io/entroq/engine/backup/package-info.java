/**
 * Copies of a data directory that can be trusted: made beside a running engine, checked file by
 * file and record by record, and put back only as a whole.
 *
 * <p>A backup is the newest good snapshot, the log from the segment that holds the snapshot's last
 * record, and {@code backup.json}, which is written last and says what all that is. Called on any
 * one thread, in the process of the engine or in another; blocks.
 */
package io.entroq.engine.backup;
