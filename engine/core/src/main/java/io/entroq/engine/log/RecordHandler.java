package io.entroq.engine.log;

import org.agrona.DirectBuffer;

/** Takes the records of a log, one after the other, in sequence. */
@FunctionalInterface
public interface RecordHandler {
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
