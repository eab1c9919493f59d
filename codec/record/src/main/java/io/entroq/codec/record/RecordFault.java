package io.entroq.codec.record;

/** What can be wrong with the bytes where a record should be. */
public enum RecordFault {
  /** Nothing: a valid record. */
  NONE,
  /** The bytes end before the record does. */
  TRUNCATED,
  /** No record begins here. */
  MAGIC,
  HEADER_CRC,
  /** A header that checks, of a schema version or type that this build does not know. */
  UNSUPPORTED,
  /** A header that checks and contradicts itself. */
  RANGE,
  PAYLOAD_CRC
}
