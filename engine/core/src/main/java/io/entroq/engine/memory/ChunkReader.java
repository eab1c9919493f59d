package io.entroq.engine.memory;

import io.entroq.codec.message.Utf8;
import io.entroq.codec.snapshot.ChunkKinds;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads the items of a chunk in order, never beyond its end. */
public final class ChunkReader {

  private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
  private int kind;
  private int items;
  private int item;
  private int at;

  public void wrap(int chunkKind, int itemCount, DirectBuffer chunk, int offset, int length) {
    buffer.wrap(chunk, offset, length);
    kind = chunkKind;
    items = itemCount;
    item = 0;
    at = 0;
    if (itemCount < 0) {
      throw wrong("number of items", itemCount);
    }
  }

  /** Moves to the next item; false if there is none. */
  public boolean next() {
    if (item < items) {
      item++;
      return true;
    }
    if (at != buffer.capacity()) {
      throw wrong("bytes after the last item", buffer.capacity() - at);
    }
    return false;
  }

  public int getInt() {
    return buffer.getInt(take(Integer.BYTES), ByteOrder.LITTLE_ENDIAN);
  }

  public long getLong() {
    return buffer.getLong(take(Long.BYTES), ByteOrder.LITTLE_ENDIAN);
  }

  /** Skips bytes and returns their offset in {@link #buffer}. */
  public int take(int bytes) {
    if (bytes < 0 || bytes > buffer.capacity() - at) {
      throw wrong("bytes missing at the end of the chunk", (long) bytes - buffer.capacity() + at);
    }
    int from = at;
    at += bytes;
    return from;
  }

  /** Skips a UTF-8 text of at most {@code bytesMax} and returns its offset in {@link #buffer}. */
  public int takeText(int bytes, int bytesMax) {
    require(bytes >= 0 && bytes <= bytesMax, "bytes of text", bytes);
    int from = take(bytes);
    requireUtf8(from, bytes);
    return from;
  }

  public void requireUtf8(int from, int bytes) {
    require(Utf8.isValid(buffer, from, bytes), "not UTF-8: bytes of text", bytes);
  }

  public UnsafeBuffer buffer() {
    return buffer;
  }

  /** Requires a field of the item to be valid. */
  public void require(boolean condition, String what, long value) {
    if (!condition) {
      throw wrong(what, value);
    }
  }

  public ImageException wrong(String what, long value) {
    return new ImageException(
        "item " + item + " of a chunk of " + ChunkKinds.name(kind) + ": " + what + " " + value);
  }
}
