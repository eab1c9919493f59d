package io.entroq.engine.log;

import java.nio.file.Path;
import org.agrona.DirectBuffer;

/** Receives the records of a log in order. */
@FunctionalInterface
public interface RecordHandler {
  /**
   * The following records are in this file: offsets of payloads are file offsets, and each header
   * is right before its payload. Not called for a log in memory.
   */
  default void onSegment(Path file) {}

  /**
   * Receives a valid record. The payload is valid during this call.
   *
   * @param type a {@link io.entroq.codec.record.RecordType}
   * @param logTimeMs milliseconds since the epoch, at least that of the previous record
   * @param payloadCrc verified CRC32C of the payload
   */
  void onRecord(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length);
}
