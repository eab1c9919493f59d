package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.DataFile;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes of one segment file.
 *
 * <p>Records are read through a mapping. Bytes after them are read from the file, because an engine
 * may truncate a completed segment after its last record, and accessing a truncated mapping faults.
 * On a file system without mappings, the whole file is read into memory.
 */
final class SegmentReader implements AutoCloseable {
  private static final int ALIGNMENT = 4;

  private static final int WINDOW_BYTES = 64 << 10;

  /** The first bytes of Chronicle's header. */
  private static final byte[] HEADER = {
    (byte) 0xc1,
    0,
    0,
    0x40,
    (byte) 0xb9,
    6,
    'h',
    'e',
    'a',
    'd',
    'e',
    'r',
    (byte) 0xb6,
    8,
    'S',
    'C',
    'Q',
    'S',
    't',
    'o',
    'r',
    'e'
  };

  private final Path file;
  private final FileChannel channel;

  /** Null if the whole file is in the window. */
  private final MappedByteBuffer mapped;

  private final UnsafeBuffer buffer;

  /** A copy of a part of the file, allocated lazily. */
  private ByteBuffer window = ByteBuffer.allocate(0);

  private int windowOffset;
  private int windowBytes;

  SegmentReader(LogSegment segment) {
    this.file = segment.file();
    try {
      this.channel = DataFile.openToRead(file);
    } catch (NoSuchFileException e) {
      throw new SegmentRemovedException(file, e);
    } catch (IOException e) {
      throw unreadable(e);
    }
    try {
      this.mapped = map();
      this.buffer = new UnsafeBuffer(mapped == null ? readAll() : mapped);
    } catch (IOException e) {
      CloseHelper.quietClose(channel);
      throw unreadable(e);
    } catch (RuntimeException e) {
      CloseHelper.quietClose(channel);
      throw e;
    }
  }

  private LogException unreadable(IOException e) {
    return LogException.error("Cannot read the segment " + file + ": " + FileErrors.describe(e), e);
  }

  private MappedByteBuffer map() throws IOException {
    while (true) {
      long size = mappable(channel.size());
      try {
        return channel.map(MapMode.READ_ONLY, 0, size);
      } catch (UnsupportedOperationException e) {
        return null;
      } catch (IOException e) {
        // An engine may have truncated the file after its last record in the meantime.
        if (channel.size() >= size) {
          throw e;
        }
      }
    }
  }

  private ByteBuffer readAll() throws IOException {
    window = ByteBuffer.allocate((int) mappable(channel.size()));
    fillWindow(0);
    return window;
  }

  private long mappable(long size) {
    if (size > Integer.MAX_VALUE) {
      throw LogException.error(
          ("Cannot read the segment %s: it has %,d bytes, but a segment has at most %,d."
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

  /** Checks the record at an offset. */
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
   * Whether nothing follows the last record. The next one would begin at {@code offset}, after
   * Chronicle's word.
   */
  boolean endsAt(int offset) {
    int word = offset - SegmentLayout.WORD_BYTES;
    if (isShort()) {
      // Too short for any record.
      return isZeroFrom(0);
    }
    boolean isMarked =
        word + Long.BYTES <= buffer.capacity()
            && buffer.getLong(word, ByteOrder.LITTLE_ENDIAN) == SegmentLayout.END_MARK;
    return isZeroFrom(isMarked ? word + Long.BYTES : word);
  }

  /** Whether all bytes from the first record on are zero. */
  boolean isBlank() {
    return endsAt(SegmentLayout.FIRST_RECORD_OFFSET);
  }

  /** Whether the file ends before the first record's offset. */
  boolean isShort() {
    return buffer.capacity() <= SegmentLayout.FIRST_RECORD_OFFSET - SegmentLayout.WORD_BYTES;
  }

  /**
   * Whether the file was never a segment: it begins with bytes that are neither zero nor a possibly
   * incomplete segment header, and it has no record.
   */
  boolean isForeign() {
    int present = 0;
    int right = 0;
    for (int i = 0; i < HEADER.length && i < buffer.capacity(); i++) {
      byte at = buffer.getByte(i);
      present += at == 0 ? 0 : 1;
      right += at == HEADER[i] ? 1 : 0;
    }
    boolean isHeader = 2 * right >= present && (present > 0 || !isShort() || isZeroFrom(0));
    return !isHeader && nextMagic(0) >= buffer.capacity();
  }

  private boolean isZeroFrom(int offset) {
    return nextNonZero(offset) >= buffer.capacity();
  }

  /** Number of nonzero bytes from the word before {@code offset} to the end of the file. */
  long nonZeroBytesFrom(int offset) {
    long count = 0;
    int at = nextNonZero(offset - SegmentLayout.WORD_BYTES);
    while (at < buffer.capacity()) {
      count++;
      at = nextNonZero(at + 1);
    }
    return count;
  }

  /** Offset of the next record magic from {@code offset} on; the capacity if there is none. */
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
    int at = Math.max(0, offset);
    while (at < buffer.capacity()) {
      if (at < windowOffset || at >= windowOffset + windowBytes) {
        read(at);
      }
      int end = windowBytes;
      int found = at - windowOffset;
      while (found + Long.BYTES <= end && window.getLong(found) == 0) {
        found += Long.BYTES;
      }
      while (found < end && window.get(found) == 0) {
        found++;
      }
      at = windowOffset + found;
      if (found < end) {
        return at;
      }
    }
    return buffer.capacity();
  }

  /** Fills the window; bytes after the file's end are zeros, because only zeros are truncated. */
  private void read(int offset) {
    if (window.capacity() == 0) {
      window = ByteBuffer.allocate(WINDOW_BYTES);
    }
    window.clear().limit(Math.min(window.capacity(), buffer.capacity() - offset));
    try {
      fillWindow(offset);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private void fillWindow(int offset) throws IOException {
    while (window.hasRemaining() && channel.read(window, offset + window.position()) > 0) {
      // A read may be partial.
    }
    windowOffset = offset;
    windowBytes = window.limit();
    Arrays.fill(window.array(), window.position(), windowBytes, (byte) 0);
  }

  private static int aligned(int offset) {
    return (offset + ALIGNMENT - 1) & -ALIGNMENT;
  }

  @Override
  public void close() {
    IoUtil.unmap(mapped);
    CloseHelper.close(channel);
  }
}
