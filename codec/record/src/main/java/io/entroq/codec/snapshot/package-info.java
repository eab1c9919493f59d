/**
 * What a snapshot is made of: chunks of items, each in a frame that says what it is, where it
 * belongs and which checksums it has.
 *
 * <p>The engine writes and reads snapshots with this; users of the API never see it. Bytes that do
 * not check are rejected, never repaired. One thread at a time.
 */
package io.entroq.codec.snapshot;
