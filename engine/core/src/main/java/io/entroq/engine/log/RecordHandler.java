package io.entroq.engine.log;

import java.nio.file.Path;
import org.agrona.DirectBuffer;

/** Takes the records of a log, one after the other, in sequence. */
@FunctionalInterface
public interface RecordHandler {
  /**
   * The records that come next lie in this file: the offset of a payload in its buffer is that in
   * the file, and the header of the record stands right before it. Not called for a log that is in
   * no file.
   */
  default void onSegment(Path file) {}

  /**
   * One valid record. The payload is only there during the call.
   *
   * @param type a {@link io.entroq.codec.record.RecordType}
   * @param logTimeMs milliseconds since the epoch, never less than that of the record before
   * @param payloadCrc CRC32C of the payload, verified
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
