package io.entroq.codec.record;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The frame of a record: a header of 48 bytes, then the payload. All numbers are little endian.
 *
 * <table>
 *   <caption>Header, schema version 1</caption>
 *   <tr><td>0</td><td>int</td><td>magic, the bytes {@code ETRQ}</td></tr>
 *   <tr><td>4</td><td>int</td><td>length of the payload in bytes</td></tr>
 *   <tr><td>8</td><td>byte</td><td>{@link RecordType}</td></tr>
 *   <tr><td>9</td><td>byte</td><td>schema version</td></tr>
 *   <tr><td>10</td><td>short</td><td>0</td></tr>
 *   <tr><td>12</td><td>int</td><td>CRC32C of the payload</td></tr>
 *   <tr><td>16</td><td>long</td><td>sequence, from 1</td></tr>
 *   <tr><td>24</td><td>long</td><td>highest sequence known to be forced when this was written</td></tr>
 *   <tr><td>32</td><td>long</td><td>log time, milliseconds since the epoch</td></tr>
 *   <tr><td>40</td><td>int</td><td>tag of the log; differs in records of other logs</td></tr>
 *   <tr><td>44</td><td>int</td><td>CRC32C of bytes 0 to 43</td></tr>
 * </table>
 *
 * <p>Writes and checks records; corrupt bytes are rejected, never repaired. The getters return
 * fields of the record last passed to {@link #check}, and are valid if its header is. Allocates
 * nothing unless it throws. Not thread-safe.
 */
public final class RecordFrame {
  /** The bytes {@code ETRQ}, read as a little-endian int. */
  public static final int MAGIC = 0x51525445;

  public static final int HEADER_BYTES = 48;
  public static final int SCHEMA_VERSION = 1;

  /** The longest payload. */
  public static final int PAYLOAD_BYTES_MAX = 64 << 20;

  static final int LENGTH_OFFSET = 4;
  static final int TYPE_OFFSET = 8;
  static final int SCHEMA_VERSION_OFFSET = 9;
  static final int RESERVED_OFFSET = 10;
  static final int PAYLOAD_CRC_OFFSET = 12;
  static final int SEQUENCE_OFFSET = 16;
  static final int FORCED_SEQUENCE_OFFSET = 24;
  static final int LOG_TIME_OFFSET = 32;
  static final int LOG_TAG_OFFSET = 40;
  static final int HEADER_CRC_OFFSET = 44;

  private final Crc32c crc = new Crc32c();
  private final UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER_BYTES]);

  /**
   * Writes a record and returns its length, header and payload.
   *
   * @param payloadCrc CRC32C of the payload, computed by the caller and not checked here
   */
  public int write(
      MutableDirectBuffer target,
      int targetOffset,
      int type,
      long sequence,
      long forcedSequence,
      long logTimeMs,
      int logTag,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    requireWritable(type, sequence, forcedSequence, length);
    header.putInt(0, MAGIC, LITTLE_ENDIAN);
    header.putInt(LENGTH_OFFSET, length, LITTLE_ENDIAN);
    header.putByte(TYPE_OFFSET, (byte) type);
    header.putByte(SCHEMA_VERSION_OFFSET, (byte) SCHEMA_VERSION);
    header.putShort(RESERVED_OFFSET, (short) 0, LITTLE_ENDIAN);
    header.putInt(PAYLOAD_CRC_OFFSET, payloadCrc, LITTLE_ENDIAN);
    header.putLong(SEQUENCE_OFFSET, sequence, LITTLE_ENDIAN);
    header.putLong(FORCED_SEQUENCE_OFFSET, forcedSequence, LITTLE_ENDIAN);
    header.putLong(LOG_TIME_OFFSET, logTimeMs, LITTLE_ENDIAN);
    header.putInt(LOG_TAG_OFFSET, logTag, LITTLE_ENDIAN);
    header.putInt(HEADER_CRC_OFFSET, crc.of(header, 0, HEADER_CRC_OFFSET), LITTLE_ENDIAN);
    target.putBytes(targetOffset + HEADER_BYTES, payload, offset, length);
    target.putBytes(targetOffset, header, 0, HEADER_BYTES);
    return HEADER_BYTES + length;
  }

  private static void requireWritable(int type, long sequence, long forcedSequence, int length) {
    if (!RecordType.isKnown(type)
        || length < 0
        || length > PAYLOAD_BYTES_MAX
        || sequence < 1
        || forcedSequence < 0
        || forcedSequence >= sequence) {
      throw new IllegalArgumentException(
          "invalid record: type %d, sequence %d, forced sequence %d, payload of %d bytes (at most %d)"
              .formatted(type, sequence, forcedSequence, length, PAYLOAD_BYTES_MAX));
    }
  }

  /**
   * Checks the header, then the payload, of the record at {@code offset}; at most {@code available}
   * bytes are read.
   */
  public RecordFault check(DirectBuffer buffer, int offset, int available) {
    RecordFault fault = checkHeader(buffer, offset, available);
    if (fault != RecordFault.NONE) {
      return fault;
    }
    if (available - HEADER_BYTES < payloadLength()) {
      return RecordFault.TRUNCATED;
    }
    int sum = crc.of(buffer, offset + HEADER_BYTES, payloadLength());
    return sum == payloadCrc() ? RecordFault.NONE : RecordFault.PAYLOAD_CRC;
  }

  private RecordFault checkHeader(DirectBuffer buffer, int offset, int available) {
    if (available < HEADER_BYTES) {
      return RecordFault.TRUNCATED;
    }
    buffer.getBytes(offset, header, 0, HEADER_BYTES);
    if (header.getInt(0, LITTLE_ENDIAN) != MAGIC) {
      return RecordFault.MAGIC;
    }
    if (crc.of(header, 0, HEADER_CRC_OFFSET) != header.getInt(HEADER_CRC_OFFSET, LITTLE_ENDIAN)) {
      return RecordFault.HEADER_CRC;
    }
    boolean isOurs =
        header.getByte(SCHEMA_VERSION_OFFSET) == SCHEMA_VERSION
            && header.getShort(RESERVED_OFFSET, LITTLE_ENDIAN) == 0
            && RecordType.isKnown(type());
    if (!isOurs) {
      return RecordFault.UNSUPPORTED;
    }
    boolean inRange =
        payloadLength() >= 0
            && payloadLength() <= PAYLOAD_BYTES_MAX
            && forcedSequence() >= 0
            && forcedSequence() < sequence();
    return inRange ? RecordFault.NONE : RecordFault.RANGE;
  }

  /**
   * Checks a record as {@link #check} does.
   *
   * @throws CorruptRecordException if it is not valid
   */
  public void verify(DirectBuffer buffer, int offset, int available) {
    RecordFault fault = check(buffer, offset, available);
    if (fault != RecordFault.NONE) {
      throw new CorruptRecordException(fault, offset, describe(fault, available));
    }
  }

  /** Describes the fault that {@link #check} has just returned, with the offending values. */
  public String describe(RecordFault fault, int available) {
    return switch (fault) {
      case NONE -> "a valid record";
      case TRUNCATED ->
          available < HEADER_BYTES
              ? "%d bytes left, a header has %d".formatted(available, HEADER_BYTES)
              : "%d bytes left, the payload has %d"
                  .formatted(available - HEADER_BYTES, payloadLength());
      case MAGIC -> "magic is %08x, not %08x".formatted(header.getInt(0, LITTLE_ENDIAN), MAGIC);
      case HEADER_CRC -> "checksum of the header does not match";
      case UNSUPPORTED ->
          "schema version %d, %s is not supported: written by a newer build"
              .formatted(header.getByte(SCHEMA_VERSION_OFFSET), RecordType.name(type()));
      case RANGE ->
          "payload length %d, sequence %d or forced sequence %d is out of range"
              .formatted(payloadLength(), sequence(), forcedSequence());
      case PAYLOAD_CRC ->
          "checksum of the payload (%d bytes of record %d) does not match"
              .formatted(payloadLength(), sequence());
    };
  }

  /** Length of the record, header and payload. */
  public int length() {
    return HEADER_BYTES + payloadLength();
  }

  public int payloadLength() {
    return header.getInt(LENGTH_OFFSET, LITTLE_ENDIAN);
  }

  public int type() {
    return header.getByte(TYPE_OFFSET) & 0xff;
  }

  public int payloadCrc() {
    return header.getInt(PAYLOAD_CRC_OFFSET, LITTLE_ENDIAN);
  }

  public long sequence() {
    return header.getLong(SEQUENCE_OFFSET, LITTLE_ENDIAN);
  }

  public long forcedSequence() {
    return header.getLong(FORCED_SEQUENCE_OFFSET, LITTLE_ENDIAN);
  }

  public long logTimeMs() {
    return header.getLong(LOG_TIME_OFFSET, LITTLE_ENDIAN);
  }

  public int logTag() {
    return header.getInt(LOG_TAG_OFFSET, LITTLE_ENDIAN);
  }
}
