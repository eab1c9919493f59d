package io.entroq.engine.memory;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Takes memory outside the heap and gives it back without waiting for a collection. */
final class Memory {

  private Memory() {}

  /** Takes zeroed memory. */
  static UnsafeBuffer allocate(int bytes) {
    return new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
  }

  /** Gives memory back; the buffer must not be used any more. */
  static void free(UnsafeBuffer buffer) {
    ByteBuffer memory = buffer.byteBuffer();
    buffer.wrap(0, 0);
    BufferUtil.free(memory);
  }
}
