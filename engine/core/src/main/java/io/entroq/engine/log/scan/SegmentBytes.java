package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** The bytes of one segment file, mapped to read. */
final class SegmentBytes implements AutoCloseable {
  private static final int ALIGNMENT = 4;

  private final Path file;
  private final MappedByteBuffer mapped;
  private final UnsafeBuffer buffer;

  SegmentBytes(LogSegment segment) {
    this.file = segment.file();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      this.mapped = channel.map(MapMode.READ_ONLY, 0, mappable(channel.size()));
    } catch (NoSuchFileException e) {
      throw new SegmentGoneException(file, e);
    } catch (IOException e) {
      throw LogException.error("Cannot read the segment " + file + ": " + e, e);
    }
    this.buffer = new UnsafeBuffer(mapped);
  }

  private long mappable(long size) {
    if (size > Integer.MAX_VALUE) {
      throw LogException.error(
          ("Cannot read the segment %s: it has %,d bytes, no segment is ever longer than %,d."
                  + " Restore the file from a backup.")
              .formatted(file, size, Integer.MAX_VALUE));
    }
    return size;
  }

  Path file() {
    return file;
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Checks what stands at an offset. */
  RecordFault check(RecordFrame frame, int offset) {
    return frame.check(buffer, offset, available(offset));
  }

  String describe(RecordFrame frame, RecordFault fault, int offset) {
    return frame.describe(fault, available(offset));
  }

  private int available(int offset) {
    return Math.max(0, buffer.capacity() - offset);
  }

  /**
   * Whether nothing follows the last record: at {@code offset} the next one would begin, before it
   * stands the word that is not ours.
   */
  boolean endsAt(int offset) {
    int word = offset - SegmentLayout.WORD_BYTES;
    boolean isMarked =
        word + Long.BYTES <= buffer.capacity()
            && buffer.getLong(word, ByteOrder.LITTLE_ENDIAN) == SegmentLayout.END_MARK;
    return isZeroFrom(isMarked ? word + Long.BYTES : word);
  }

  /** Whether no byte that belongs to records is anything but zero. */
  boolean isBlank() {
    return endsAt(SegmentLayout.FIRST_RECORD_OFFSET);
  }

  private boolean isZeroFrom(int offset) {
    return nextNonZero(offset) >= buffer.capacity();
  }

  /** How many bytes from the word before {@code offset} to the end of the file are not zero. */
  long nonZeroBytesFrom(int offset) {
    long count = 0;
    int at = nextNonZero(offset - SegmentLayout.WORD_BYTES);
    while (at < buffer.capacity()) {
      if (buffer.getByte(at) != 0) {
        count++;
        at++;
      } else {
        at = nextNonZero(at);
      }
    }
    return count;
  }

  /**
   * Offset of the next place, from {@code offset} on, where a record may begin by its magic, or the
   * capacity if there is none.
   */
  int nextMagic(int offset) {
    int at = aligned(offset);
    int last = buffer.capacity() - RecordFrame.HEADER_BYTES;
    while (at <= last) {
      at = nextNonZero(at) & -ALIGNMENT;
      if (at <= last && buffer.getInt(at, ByteOrder.LITTLE_ENDIAN) == RecordFrame.MAGIC) {
        return at;
      }
      at += ALIGNMENT;
    }
    return buffer.capacity();
  }

  private int nextNonZero(int offset) {
    int capacity = buffer.capacity();
    int at = Math.max(0, offset);
    while (at + Long.BYTES <= capacity && buffer.getLong(at) == 0) {
      at += Long.BYTES;
    }
    while (at < capacity && buffer.getByte(at) == 0) {
      at++;
    }
    return at;
  }

  private static int aligned(int offset) {
    return (offset + ALIGNMENT - 1) & -ALIGNMENT;
  }

  @Override
  public void close() {
    IoUtil.unmap(mapped);
  }
}
