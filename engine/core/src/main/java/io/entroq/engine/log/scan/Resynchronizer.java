package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.SegmentLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Finds where good records continue after a bad one that a snapshot includes. Its header may still
 * have its length or the checksum of its payload; either proves where it ends. If both are lost,
 * the next good record is searched for. Not thread-safe.
 */
final class Resynchronizer {
  private final RecordFrame frame;
  private final RecordValidator validator;
  private final SegmentReader bytes;
  private long sequence;
  private int offset;
  private boolean isProven;

  Resynchronizer(RecordFrame frame, RecordValidator validator, SegmentReader bytes) {
    this.frame = frame;
    this.validator = validator;
    this.bytes = bytes;
  }

  /** The next record. */
  long sequence() {
    return sequence;
  }

  /** Offset of the next record. */
  int offset() {
    return offset;
  }

  /** Whether the bad record is proven to be the one that was due. */
  boolean isProven() {
    return isProven;
  }

  /**
   * Searches for the next record.
   *
   * @param bad offset of the bad record
   * @return false if none is found
   */
  boolean find(int bad) {
    int room = bytes.buffer().capacity() - bad - RecordFrame.HEADER_BYTES;
    if (room >= 0) {
      bytes.check(frame, bad);
      int length = frame.payloadLength();
      int crc = frame.payloadCrc();
      int right = rightParts(bad);
      boolean isInFile = length >= 0 && length <= room;
      isProven =
          right >= 2
              && ((isInFile && isFollowed(bad, length))
                  || matchesChecksum(bad, room, crc)
                  || (right == 3 && isInFile && isLast(bad, length)));
      if (isProven) {
        return true;
      }
    }
    return search(bad);
  }

  /** How many of magic, sequence and tag in the last checked header are right. */
  private int rightParts(int bad) {
    Integer tag = validator.logTag();
    int right = bytes.buffer().getInt(bad, ByteOrder.LITTLE_ENDIAN) == RecordFrame.MAGIC ? 1 : 0;
    right += frame.sequence() == validator.due() ? 1 : 0;
    right += tag != null && frame.logTag() == tag ? 1 : 0;
    return right;
  }

  /**
   * Whether a payload of some length has the right checksum and is followed by a record or the end.
   */
  private boolean matchesChecksum(int bad, int room, int crc) {
    CRC32C sum = new CRC32C();
    int longest = Math.min(room, RecordFrame.PAYLOAD_BYTES_MAX);
    for (int length = 0; length <= longest; length++) {
      if ((int) sum.getValue() == crc && (isFollowed(bad, length) || isLast(bad, length))) {
        return true;
      }
      if (length < longest) {
        sum.update(payloadByte(bad, length));
      }
    }
    return false;
  }

  private int payloadByte(int bad, int index) {
    return bytes.buffer().getByte(bad + RecordFrame.HEADER_BYTES + index);
  }

  private boolean isFollowed(int bad, int length) {
    int next = next(bad, length);
    return next < bytes.buffer().capacity()
        && bytes.check(frame, next) == RecordFault.NONE
        && frame.sequence() == validator.due() + 1
        && isOurs(next);
  }

  /** Whether nothing follows the bad record in this segment. */
  private boolean isLast(int bad, int length) {
    int next = next(bad, length);
    if (!bytes.endsAt(next)) {
      return false;
    }
    offset = next;
    sequence = validator.due() + 1;
    return true;
  }

  private static int next(int bad, int length) {
    return Math.toIntExact(SegmentLayout.next(bad, RecordFrame.HEADER_BYTES + length));
  }

  private boolean search(int bad) {
    int capacity = bytes.buffer().capacity();
    for (int at = bytes.nextMagic(bad);
        at < capacity;
        at = bytes.nextMagic(at + SegmentLayout.WORD_BYTES)) {
      if (bytes.check(frame, at) == RecordFault.NONE
          && validator.mayGoOnWith(frame.sequence())
          && isOurs(at)) {
        return true;
      }
    }
    return false;
  }

  /** Notes the record in the frame if it belongs to this log. */
  private boolean isOurs(int at) {
    Integer tag = validator.logTag();
    if (tag == null || frame.logTag() != tag) {
      return false;
    }
    offset = at;
    sequence = frame.sequence();
    return true;
  }
}
