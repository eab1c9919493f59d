/**
 * Snapshots on disk: written beside the log, made valid by one rename, read with every byte
 * verified, and removed when newer good ones exist.
 *
 * <p>{@link io.entroq.engine.snapshot.SnapshotDirectory} is the way in. What is in a snapshot is
 * not known here: it comes and goes as chunks. One thread writes at a time; any thread may read.
 */
package io.entroq.engine.snapshot;
