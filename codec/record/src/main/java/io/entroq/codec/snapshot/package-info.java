/**
 * The chunks of a snapshot. Each has a frame with its kind, its position and its checksums.
 *
 * <p>The engine writes and reads snapshots with this; users of the API never see it. Bytes that do
 * not check are rejected, never repaired. One thread at a time.
 */
package io.entroq.codec.snapshot;
