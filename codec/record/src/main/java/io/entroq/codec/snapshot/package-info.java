/**
 * The chunks of a snapshot, each framed with its kind, position and checksums. Used by the engine
 * to write and read snapshots. Corrupt bytes are rejected, never repaired. Not thread-safe.
 */
package io.entroq.codec.snapshot;
