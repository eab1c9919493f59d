package io.entroq.engine.memory;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.snapshot.ChunkSink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Collects items into chunks of one kind and about a mebibyte, and counts them. A larger item gets
 * its own chunk. Numbers are little endian.
 */
public final class ChunkWriter {

  private static final int CHUNK_BYTES = 1 << 20;

  private final ChunkSink sink;
  private final long[] counts = new long[ChunkKinds.MAX + 1];
  private ByteBuffer memory = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private final UnsafeBuffer buffer = new UnsafeBuffer(memory);
  private int kind;
  private int items;
  private int length;
  private int end;

  public ChunkWriter(ChunkSink sink) {
    this.sink = sink;
  }

  /** Begins an item; the caller puts exactly {@code bytes} before the next one. */
  public void begin(int itemKind, int bytes) {
    assert length == end : "an item is complete: " + length + " of " + end;
    if (items > 0 && (itemKind != kind || bytes > CHUNK_BYTES - length)) {
      flush();
    }
    if (bytes > buffer.capacity() - length) {
      grow(bytes);
    }
    kind = itemKind;
    items++;
    counts[itemKind]++;
    end = length + bytes;
  }

  /** Only called while the chunk is empty. */
  private void grow(int bytes) {
    BufferUtil.free(memory);
    memory = ByteBuffer.allocateDirect(bytes);
    buffer.wrap(memory);
  }

  public void putInt(int value) {
    buffer.putInt(length, value, ByteOrder.LITTLE_ENDIAN);
    length += Integer.BYTES;
  }

  public void putLong(long value) {
    buffer.putLong(length, value, ByteOrder.LITTLE_ENDIAN);
    length += Long.BYTES;
  }

  /** Puts bytes from an address. */
  public void putBytes(long address, int bytes) {
    buffer.boundsCheck(length, bytes);
    UnsafeApi.copyMemory(address, buffer.addressOffset() + length, bytes);
    length += bytes;
  }

  /** Passes the collected items to the sink. */
  public void flush() {
    if (items > 0) {
      sink.onChunk(kind, items, buffer, 0, length);
      items = 0;
      length = 0;
      end = 0;
    }
  }

  /** Items of a kind so far. */
  public long count(int itemKind) {
    return counts[itemKind];
  }

  public void close() {
    BufferUtil.free(memory);
  }
}
