package io.entroq.engine.memory;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * A range of zeroed off-heap memory, freed explicitly.
 *
 * <p>The classes of this package read and write by address, without the bounds checks of a buffer:
 * on the hot path those would cost a quarter of the time. Each class guards its own slots, and in
 * tests assertions check every access.
 */
final class Memory {

  private final ByteBuffer buffer;
  private final long address;

  private Memory(ByteBuffer buffer) {
    this.buffer = buffer;
    this.address = BufferUtil.address(buffer);
  }

  static Memory allocate(int bytes) {
    return new Memory(ByteBuffer.allocateDirect(bytes));
  }

  long address() {
    return address;
  }

  ByteBuffer buffer() {
    return buffer;
  }

  /** Copies the first bytes of another range to the beginning of this one. */
  void copyFrom(long from, long bytes) {
    UnsafeApi.copyMemory(from, address, bytes);
  }

  /** Frees the memory, which must not be accessed afterwards. */
  void free() {
    BufferUtil.free(buffer);
  }
}
