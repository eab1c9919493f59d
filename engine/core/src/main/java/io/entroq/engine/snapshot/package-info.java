/**
 * Snapshots on disk: written beside the log, made valid by one rename, verified byte by byte when
 * read, and removed once newer good ones exist.
 *
 * <p>{@link io.entroq.engine.snapshot.SnapshotDirectory} is the entry point. The content is opaque
 * here: it is read and written as chunks. One thread writes at a time; any thread may read.
 */
package io.entroq.engine.snapshot;
