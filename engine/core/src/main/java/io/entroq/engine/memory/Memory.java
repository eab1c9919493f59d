package io.entroq.engine.memory;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * A range of zeroed memory outside the heap, given back without waiting for a collection.
 *
 * <p>The building blocks of this package read and write by address, without the bounds checks of a
 * buffer: on the hot path those cost a quarter of the time, and each block guards its own slots.
 * Assertions check every slot in the tests.
 */
final class Memory {

  private final ByteBuffer buffer;
  private final long address;

  private Memory(ByteBuffer buffer) {
    this.buffer = buffer;
    this.address = BufferUtil.address(buffer);
  }

  /** Takes memory. */
  static Memory allocate(int bytes) {
    return new Memory(ByteBuffer.allocateDirect(bytes));
  }

  /** Where it begins. */
  long address() {
    return address;
  }

  /** The memory as a buffer, for those who want one. */
  ByteBuffer buffer() {
    return buffer;
  }

  /** Copies the first bytes of another range to the beginning of this one. */
  void copyFrom(long from, long bytes) {
    UnsafeApi.copyMemory(from, address, bytes);
  }

  /** Gives the memory back; it must not be touched any more. */
  void free() {
    BufferUtil.free(buffer);
  }
}
