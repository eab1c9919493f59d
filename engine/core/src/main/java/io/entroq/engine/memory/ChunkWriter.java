package io.entroq.engine.memory;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.snapshot.ChunkSink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Collects items into chunks of one kind and about a mebibyte, and counts them. An item that is
 * larger gets a chunk of its own. Numbers are little endian.
 */
public final class ChunkWriter {

  private static final int CHUNK_BYTES = 1 << 20;

  private final ChunkSink sink;
  private final long[] counts = new long[ChunkKinds.END + 1];
  private ByteBuffer memory = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private final UnsafeBuffer buffer = new UnsafeBuffer(memory);
  private int kind;
  private int items;
  private int length;
  private int end;

  public ChunkWriter(ChunkSink sink) {
    this.sink = sink;
  }

  /** Begins an item of so many bytes, all of which are put before the next one begins. */
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

  /** Only ever for a chunk that is empty. */
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

  /** Puts bytes that lie in memory. */
  public void putBytes(long address, int bytes) {
    buffer.boundsCheck(length, bytes);
    UnsafeApi.copyMemory(address, buffer.addressOffset() + length, bytes);
    length += bytes;
  }

  /** Passes on what has been collected. */
  public void flush() {
    if (items > 0) {
      sink.onChunk(kind, items, buffer, 0, length);
      items = 0;
      length = 0;
      end = 0;
    }
  }

  /** How many items of a kind there were. */
  public long count(int itemKind) {
    return counts[itemKind];
  }

  /** Gives the memory back; the writer must not be used any more. */
  public void close() {
    BufferUtil.free(memory);
  }
}
