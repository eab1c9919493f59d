/**
 * Backups of a data directory: made while an engine runs, verified file by file and record by
 * record, and restored only as a whole.
 *
 * <p>A backup is the newest good snapshot, the log from the segment with the snapshot's last
 * record, and {@code backup.json}, which describes both and is written last. Called on any one
 * thread, in the engine's process or another; blocks.
 */
package io.entroq.engine.backup;
