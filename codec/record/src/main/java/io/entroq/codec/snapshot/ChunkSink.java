package io.entroq.codec.snapshot;

import org.agrona.DirectBuffer;

/**
 * Takes the chunks of a snapshot one after the other: the writer of the file when the state is
 * saved, the state when the file is read.
 *
 * <p>Called on one thread. An exception ends the whole snapshot and passes through whoever calls.
 */
@FunctionalInterface
public interface ChunkSink {
  /**
   * Takes the next chunk. The bytes are the caller's and hold for the length of this call.
   *
   * @param kind what the items are, from 1 to 255
   * @param items how many items the payload holds
   * @param buffer where the payload lies
   * @param offset of the payload in {@code buffer}
   * @param length of the payload in bytes; may be 0
   */
  void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length);
}
