package io.entroq.codec.record;

/** The bytes at an offset are not a valid record. */
public final class CorruptRecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RecordFault fault;
  private final int offset;

  CorruptRecordException(RecordFault fault, int offset, String what) {
    super("record at offset %d: %s".formatted(offset, what));
    this.fault = fault;
    this.offset = offset;
  }

  public RecordFault fault() {
    return fault;
  }

  /** Offset of the record in the buffer, in bytes. */
  public int offset() {
    return offset;
  }
}
