package io.entroq.engine.idfilter;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.entroq.codec.wire.IdKey;
import io.entroq.engine.idfilter.IdStretch.Part;
import io.entroq.engine.idfilter.IdStretch.Point;
import java.util.Collection;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The content of a file with the ids of a stretch of log, as it was read. All numbers are
 * little-endian.
 *
 * <pre>
 * 0   8  magic "EQIDFILT"
 * 8   4  version of the format: 1
 * 12  4  number of parts, 1 or more
 * 16 16  id of the log, upper and lower half
 * 32 16  the point before: sequence and history digest
 * 48 16  the last point: sequence and history digest
 * 64     the parts, in order; each:
 *    8   sequence of its last record; of the last part, that of the last point
 *    4   number of blocks, a power of two up to 8,192; 0: its ids are not known
 *    4   0
 *    32  each block: four words of 64 bits
 *    4   CRC32C of all before
 * </pre>
 *
 * <p>An id has the hash {@code Mix.key(high, low)}. Its upper 16 bits, modulo the number of blocks,
 * choose a block. Its lower 48 bits are eight numbers of bits: the lowest two of the first word,
 * the next two of the second, and so on. A part may have the id if all eight bits are set.
 */
final class IdFilterFile {
  /** No file is longer. */
  static final int BYTES_MAX = 64 << 20;

  private static final long MAGIC = 0x544C494644495145L;

  /**
   * Also to be raised when a step of an existing level tells of a task of which it did not tell
   * before: files of then lack it.
   */
  private static final int VERSION = 1;

  private static final int VERSION_AT = 8;
  private static final int PARTS_AT = 12;
  private static final int LOG_ID_AT = 16;
  private static final int BEGIN_AT = 32;
  private static final int END_AT = 48;
  private static final int HEADER_BYTES = 64;
  private static final int BLOCKS_IN_PART = 8;
  private static final int PART_HEADER_BYTES = 16;
  private static final int CRC_BYTES = 4;

  private final UnsafeBuffer bytes;

  private IdFilterFile(UnsafeBuffer bytes) {
    this.bytes = bytes;
  }

  /** The file of a stretch. */
  static byte[] of(IdStretch stretch) {
    int length = HEADER_BYTES + CRC_BYTES;
    for (Part part : stretch.parts()) {
      length += PART_HEADER_BYTES + blocks(part) * IdFilter.BLOCK_BYTES;
    }
    byte[] file = new byte[length];
    UnsafeBuffer into = new UnsafeBuffer(file);
    into.putLong(0, MAGIC, LITTLE_ENDIAN);
    into.putInt(VERSION_AT, VERSION, LITTLE_ENDIAN);
    into.putInt(PARTS_AT, stretch.parts().size(), LITTLE_ENDIAN);
    into.putLong(LOG_ID_AT, stretch.logIdHigh(), LITTLE_ENDIAN);
    into.putLong(LOG_ID_AT + Long.BYTES, stretch.logIdLow(), LITTLE_ENDIAN);
    put(into, BEGIN_AT, stretch.begin());
    put(into, END_AT, stretch.end());
    int at = HEADER_BYTES;
    for (Part part : stretch.parts()) {
      int blocks = blocks(part);
      into.putLong(at, part.last(), LITTLE_ENDIAN);
      into.putInt(at + BLOCKS_IN_PART, blocks, LITTLE_ENDIAN);
      at += PART_HEADER_BYTES;
      if (part.filter() != null) {
        part.filter().store(into, at, blocks);
      }
      at += blocks * IdFilter.BLOCK_BYTES;
    }
    into.putInt(at, crc(file), LITTLE_ENDIAN);
    return file;
  }

  private static int blocks(Part part) {
    if (part.filter() != null) {
      return IdFilter.blocksFor(part.filter().ids());
    }
    return part.isKnown() ? 1 : 0;
  }

  private static void put(UnsafeBuffer into, int offset, Point point) {
    into.putLong(offset, point.sequence(), LITTLE_ENDIAN);
    into.putLong(offset + Long.BYTES, point.historyDigest(), LITTLE_ENDIAN);
  }

  private static int crc(byte[] file) {
    CRC32C crc = new CRC32C();
    crc.update(file, 0, file.length - CRC_BYTES);
    return (int) crc.getValue();
  }

  /** Returns null if it is damaged, or of a format that this build does not know. */
  static IdFilterFile parse(byte[] file) {
    UnsafeBuffer bytes = new UnsafeBuffer(file);
    boolean isWhole =
        file.length >= HEADER_BYTES + CRC_BYTES
            && bytes.getLong(0, LITTLE_ENDIAN) == MAGIC
            && bytes.getInt(VERSION_AT, LITTLE_ENDIAN) == VERSION
            && bytes.getInt(file.length - CRC_BYTES, LITTLE_ENDIAN) == crc(file);
    IdFilterFile parsed = new IdFilterFile(bytes);
    return isWhole && parsed.hasGoodParts() ? parsed : null;
  }

  private boolean hasGoodParts() {
    int end = bytes.capacity() - CRC_BYTES;
    int at = HEADER_BYTES;
    long last = begin().sequence();
    int parts = bytes.getInt(PARTS_AT, LITTLE_ENDIAN);
    for (int i = 0; i < parts; i++) {
      if (end - at < PART_HEADER_BYTES || lastAt(at) <= last || !isGood(blocksAt(at))) {
        return false;
      }
      last = lastAt(at);
      at = after(at);
      if (at > end) {
        return false;
      }
    }
    return at == end && parts > 0 && last == end().sequence();
  }

  private static boolean isGood(int blocks) {
    return blocks >= 0 && blocks <= IdFilter.BLOCKS && Integer.bitCount(blocks) <= 1;
  }

  private long lastAt(int part) {
    return bytes.getLong(part, LITTLE_ENDIAN);
  }

  private int blocksAt(int part) {
    return bytes.getInt(part + BLOCKS_IN_PART, LITTLE_ENDIAN);
  }

  private int after(int part) {
    return part + PART_HEADER_BYTES + blocksAt(part) * IdFilter.BLOCK_BYTES;
  }

  Point begin() {
    return point(BEGIN_AT);
  }

  Point end() {
    return point(END_AT);
  }

  private Point point(int offset) {
    return new Point(
        bytes.getLong(offset, LITTLE_ENDIAN), bytes.getLong(offset + Long.BYTES, LITTLE_ENDIAN));
  }

  /**
   * The least sequence of this stretch, its begin included, after which it has no effect on any of
   * these tasks.
   */
  long quietAfter(Collection<IdKey> ids) {
    long quiet = begin().sequence();
    for (int at = HEADER_BYTES; at < bytes.capacity() - CRC_BYTES; at = after(at)) {
      int part = at;
      if (ids.stream().anyMatch(id -> mayHave(part, id))) {
        quiet = lastAt(part);
      }
    }
    return quiet;
  }

  private boolean mayHave(int part, IdKey id) {
    int blocks = blocksAt(part);
    return blocks == 0
        || IdFilter.mayHave(bytes, part + PART_HEADER_BYTES, blocks, id.high(), id.low());
  }

  long logIdHigh() {
    return bytes.getLong(LOG_ID_AT, LITTLE_ENDIAN);
  }

  long logIdLow() {
    return bytes.getLong(LOG_ID_AT + Long.BYTES, LITTLE_ENDIAN);
  }
}
