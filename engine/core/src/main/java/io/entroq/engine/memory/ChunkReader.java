package io.entroq.engine.memory;

import io.entroq.codec.message.Utf8;
import io.entroq.codec.snapshot.ChunkKinds;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads the items of a chunk one after the other, and never beyond its end. */
public final class ChunkReader {

  private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
  private int kind;
  private int items;
  private int item;
  private int at;

  /** Begins with a chunk. */
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

  /** Goes on to the next item; false if there is none. */
  public boolean next() {
    if (item < items) {
      item++;
      return true;
    }
    if (at != buffer.capacity()) {
      throw wrong("bytes behind the last item", buffer.capacity() - at);
    }
    return false;
  }

  public int getInt() {
    return buffer.getInt(take(Integer.BYTES), ByteOrder.LITTLE_ENDIAN);
  }

  public long getLong() {
    return buffer.getLong(take(Long.BYTES), ByteOrder.LITTLE_ENDIAN);
  }

  /** Passes over bytes and says where in {@link #buffer} they begin. */
  public int take(int bytes) {
    if (bytes < 0 || bytes > buffer.capacity() - at) {
      throw wrong("bytes missing at the end of the chunk", (long) bytes - buffer.capacity() + at);
    }
    int from = at;
    at += bytes;
    return from;
  }

  /** Passes over a text of at most so many bytes and says where in {@link #buffer} it begins. */
  public int takeText(int bytes, int bytesMax) {
    require(bytes >= 0 && bytes <= bytesMax, "bytes of text", bytes);
    int from = take(bytes);
    requireUtf8(from, bytes);
    return from;
  }

  /** Requires a range of the chunk to be a text. */
  public void requireUtf8(int from, int bytes) {
    require(Utf8.isValid(buffer, from, bytes), "no UTF-8 in a text of bytes", bytes);
  }

  /** The chunk. */
  public UnsafeBuffer buffer() {
    return buffer;
  }

  /** Requires a field of the item to be what it can be. */
  public void require(boolean condition, String what, long value) {
    if (!condition) {
      throw wrong(what, value);
    }
  }

  /** Says what is wrong with the item. */
  public ImageException wrong(String what, long value) {
    return new ImageException(
        "item " + item + " of a chunk of " + ChunkKinds.name(kind) + ": " + what + " " + value);
  }
}
