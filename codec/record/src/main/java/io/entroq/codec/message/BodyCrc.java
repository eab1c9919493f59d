package io.entroq.codec.message;

import io.entroq.codec.record.Crc32c;

/**
 * CRC32C of a command without the fields in which a retry may differ, so that it is equal for a
 * request and its retries.
 */
public final class BodyCrc {
  private final long excludedFields;
  private final Crc32c crc = new Crc32c();

  /**
   * @param excludedFields bit n is set if field n is excluded
   */
  public BodyCrc(long excludedFields) {
    this.excludedFields = excludedFields;
  }

  /** Computes the CRC of the reader's outermost message, which has been read and checked. */
  public int compute(WireReader reader, int length) {
    crc.reset();
    reader.rewind(length);
    int from = reader.position();
    int at = from;
    for (int tag = reader.tag("command"); tag != 0; tag = reader.tag("command")) {
      reader.skipValue(tag, "command");
      if (isExcluded(tag >>> WireReader.WIRE_TYPE_BITS)) {
        crc.update(reader.buffer(), from, at - from);
        from = reader.position();
      }
      at = reader.position();
    }
    crc.update(reader.buffer(), from, reader.position() - from);
    return crc.value();
  }

  private boolean isExcluded(int field) {
    return field < Long.SIZE && (excludedFields >>> field & 1) != 0;
  }
}
