package io.entroq.codec.snapshot;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.entroq.codec.record.Crc32c;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The frame of a chunk: a header of 48 bytes, then the payload. All numbers are little endian.
 *
 * <table>
 *   <caption>Header</caption>
 *   <tr><td>0</td><td>int</td><td>magic, the bytes {@code ETRS}</td></tr>
 *   <tr><td>4</td><td>int</td><td>length of the payload in bytes</td></tr>
 *   <tr><td>8</td><td>byte</td><td>kind of the items, from 1</td></tr>
 *   <tr><td>9</td><td>byte</td><td>format of the snapshot</td></tr>
 *   <tr><td>10</td><td>short</td><td>0</td></tr>
 *   <tr><td>12</td><td>int</td><td>CRC32C of the payload</td></tr>
 *   <tr><td>16</td><td>long</td><td>sequence of the snapshot</td></tr>
 *   <tr><td>24</td><td>long</td><td>number of the chunk in its file, from 1</td></tr>
 *   <tr><td>32</td><td>int</td><td>number of items in the payload</td></tr>
 *   <tr><td>36</td><td>int</td><td>tag of the state, see {@link #stateTag}</td></tr>
 *   <tr><td>40</td><td>int</td><td>tag of the log</td></tr>
 *   <tr><td>44</td><td>int</td><td>CRC32C of bytes 0 to 43</td></tr>
 * </table>
 *
 * <p>Writes and checks headers. The getters return fields of the header last passed to {@link
 * #faultOf}, and are valid if it had no fault. Not thread-safe.
 */
public final class ChunkFrame {
  /** The bytes {@code ETRS}, read as a little-endian int. */
  public static final int MAGIC = 0x53525445;

  public static final int HEADER_BYTES = 48;

  /** Bytes of the header without its own checksum; the checksum over all headers covers these. */
  public static final int SUMMED_BYTES = 44;

  public static final int FORMAT_MAX = 127;
  public static final int KIND_MAX = 255;

  /** The longest payload. */
  public static final int PAYLOAD_BYTES_MAX = 64 << 20;

  static final int LENGTH_OFFSET = 4;
  static final int KIND_OFFSET = 8;
  static final int FORMAT_OFFSET = 9;
  static final int RESERVED_OFFSET = 10;
  static final int PAYLOAD_CRC_OFFSET = 12;
  static final int SEQUENCE_OFFSET = 16;
  static final int NUMBER_OFFSET = 24;
  static final int ITEMS_OFFSET = 32;
  static final int STATE_TAG_OFFSET = 36;
  static final int LOG_TAG_OFFSET = 40;

  private final Crc32c crc = new Crc32c();
  private final UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER_BYTES]);

  /** The tag of a log: the low 32 bits of its id, as records carry it. */
  public static int logTag(long logIdLow) {
    return (int) logIdLow;
  }

  /**
   * The tag of a state: CRC32C of its two digests. It distinguishes the chunks of two states with
   * the same sequence, which exist if a log was cut and continued differently.
   */
  public static int stateTag(long historyDigest, long contentDigest) {
    UnsafeBuffer digests = new UnsafeBuffer(new byte[2 * Long.BYTES]);
    digests.putLong(0, historyDigest, LITTLE_ENDIAN);
    digests.putLong(Long.BYTES, contentDigest, LITTLE_ENDIAN);
    return new Crc32c().of(digests, 0, digests.capacity());
  }

  /**
   * Writes a header; the payload belongs right after it.
   *
   * @param format that of the snapshot, from 1 to {@link #FORMAT_MAX}
   */
  public void write(
      MutableDirectBuffer target,
      int targetOffset,
      int format,
      int kind,
      int items,
      long sequence,
      long number,
      int stateTag,
      int logTag,
      int payloadCrc,
      int payloadLength) {
    requireWritable(kind, items, payloadLength);
    header.putInt(0, MAGIC, LITTLE_ENDIAN);
    header.putInt(LENGTH_OFFSET, payloadLength, LITTLE_ENDIAN);
    header.putByte(KIND_OFFSET, (byte) kind);
    header.putByte(FORMAT_OFFSET, (byte) format);
    header.putShort(RESERVED_OFFSET, (short) 0, LITTLE_ENDIAN);
    header.putInt(PAYLOAD_CRC_OFFSET, payloadCrc, LITTLE_ENDIAN);
    header.putLong(SEQUENCE_OFFSET, sequence, LITTLE_ENDIAN);
    header.putLong(NUMBER_OFFSET, number, LITTLE_ENDIAN);
    header.putInt(ITEMS_OFFSET, items, LITTLE_ENDIAN);
    header.putInt(STATE_TAG_OFFSET, stateTag, LITTLE_ENDIAN);
    header.putInt(LOG_TAG_OFFSET, logTag, LITTLE_ENDIAN);
    header.putInt(SUMMED_BYTES, crc.of(header, 0, SUMMED_BYTES), LITTLE_ENDIAN);
    target.putBytes(targetOffset, header, 0, HEADER_BYTES);
  }

  /** Throws {@link IllegalArgumentException} if kind, items or length are out of range. */
  public static void requireWritable(int kind, int items, int payloadLength) {
    if (kind < 1
        || kind > KIND_MAX
        || items < 0
        || payloadLength < 0
        || payloadLength > PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "invalid chunk: kind %d, %d items, payload of %d bytes (at most %d)"
              .formatted(kind, items, payloadLength, PAYLOAD_BYTES_MAX));
    }
  }

  /** Describes what is wrong with the header at {@code offset}; empty if it is valid. */
  public String faultOf(DirectBuffer buffer, int offset) {
    buffer.getBytes(offset, header, 0, HEADER_BYTES);
    if (header.getInt(0, LITTLE_ENDIAN) != MAGIC) {
      return "magic is %08x, not %08x".formatted(header.getInt(0, LITTLE_ENDIAN), MAGIC);
    }
    if (crc.of(header, 0, SUMMED_BYTES) != header.getInt(SUMMED_BYTES, LITTLE_ENDIAN)) {
      return "checksum of the chunk header does not match";
    }
    if (format() < 1 || header.getShort(RESERVED_OFFSET, LITTLE_ENDIAN) != 0) {
      return "chunk format %d with bytes %04x is not supported: written by a newer build"
          .formatted(format(), header.getShort(RESERVED_OFFSET, LITTLE_ENDIAN));
    }
    boolean inRange =
        kind() > 0 && items() >= 0 && payloadLength() >= 0 && payloadLength() <= PAYLOAD_BYTES_MAX;
    return inRange
        ? ""
        : "kind %d, %d items or payload length %d is out of range"
            .formatted(kind(), items(), payloadLength());
  }

  public int payloadLength() {
    return header.getInt(LENGTH_OFFSET, LITTLE_ENDIAN);
  }

  /** The format of the chunk's snapshot, from 1. Callers check that they can read it. */
  public int format() {
    return header.getByte(FORMAT_OFFSET);
  }

  public int kind() {
    return header.getByte(KIND_OFFSET) & 0xff;
  }

  public int payloadCrc() {
    return header.getInt(PAYLOAD_CRC_OFFSET, LITTLE_ENDIAN);
  }

  /** Sequence of the chunk's snapshot. */
  public long sequence() {
    return header.getLong(SEQUENCE_OFFSET, LITTLE_ENDIAN);
  }

  /** Position of the chunk in its file, from 1. */
  public long number() {
    return header.getLong(NUMBER_OFFSET, LITTLE_ENDIAN);
  }

  public int items() {
    return header.getInt(ITEMS_OFFSET, LITTLE_ENDIAN);
  }

  public int stateTag() {
    return header.getInt(STATE_TAG_OFFSET, LITTLE_ENDIAN);
  }

  public int logTag() {
    return header.getInt(LOG_TAG_OFFSET, LITTLE_ENDIAN);
  }
}
