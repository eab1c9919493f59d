/**
 * What is stored: the framing and checksums of log records, flyweights over Agrona buffers, and the
 * scanner's view of the bytes of a segment.
 *
 * <p>The engine and what hosts it use this; users of the API never see it. Bytes that do not check
 * are rejected, never repaired. Flyweights belong to one thread at a time.
 */
package io.entroq.codec.record;
