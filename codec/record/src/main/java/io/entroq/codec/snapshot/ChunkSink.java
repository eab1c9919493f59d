package io.entroq.codec.snapshot;

import org.agrona.DirectBuffer;

/**
 * Receives the chunks of a snapshot in order: the file writer when a state is saved, the state when
 * a file is read.
 *
 * <p>Called on one thread. An exception ends the snapshot and propagates to the caller.
 */
@FunctionalInterface
public interface ChunkSink {
  /**
   * Receives the next chunk. The bytes are valid during this call.
   *
   * @param kind one of {@link ChunkKinds}, from 1 to 255
   * @param items number of items in the payload
   * @param buffer contains the payload
   * @param offset offset of the payload in {@code buffer}
   * @param length bytes of the payload; may be 0
   */
  void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length);
}
