package io.entroq.codec.record;

/** What is wrong with the bytes where a record should be. */
public enum RecordFault {
  /** A valid record. */
  NONE,
  /** The bytes end before the record does. */
  TRUNCATED,
  /** No record begins here. */
  MAGIC,
  HEADER_CRC,
  /** The header is intact, but this build does not know its schema version or type. */
  UNSUPPORTED,
  /** The header is intact, but has values out of range. */
  RANGE,
  PAYLOAD_CRC
}
