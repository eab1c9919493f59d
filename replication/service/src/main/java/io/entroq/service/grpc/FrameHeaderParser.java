package io.entroq.service.grpc;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Finds the headers of HTTP/2 frames in one direction of a connection. One thread. */
final class FrameHeaderParser {
  static final int BYTES = 9;

  private static final int STREAM_MASK = Integer.MAX_VALUE;

  private final Handler handler;
  private final ByteBuffer head = ByteBuffer.allocate(BYTES);
  private int skip;

  /** Gets each complete header. */
  @FunctionalInterface
  interface Handler {
    /**
     * A frame begins.
     *
     * @param length of the payload, in bytes
     * @param stream 0: the connection itself
     */
    void frame(int length, int type, int flags, int stream);
  }

  /**
   * @param before the number of bytes before the first frame
   */
  FrameHeaderParser(int before, Handler handler) {
    skip = before;
    this.handler = handler;
  }

  /** Parses the next bytes, in pieces of any length, without consuming them. */
  void look(ByteBuf bytes) {
    int at = bytes.readerIndex();
    int end = bytes.writerIndex();
    while (at < end) {
      if (skip > 0) {
        int skipped = Math.min(skip, end - at);
        skip -= skipped;
        at += skipped;
        continue;
      }
      int copied = Math.min(head.remaining(), end - at);
      head.limit(head.position() + copied);
      bytes.getBytes(at, head);
      head.limit(BYTES);
      at += copied;
      if (!head.hasRemaining()) {
        skip = head.getInt(0) >>> Byte.SIZE;
        head.clear();
        handler.frame(skip, head.get(3), head.get(4), head.getInt(5) & STREAM_MASK);
      }
    }
  }
}
