package io.entroq.service.translation;

import io.entroq.codec.result.ResultDecoder;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** Copies texts and values out of a buffer. Any thread. */
final class TextReader {
  private final DirectBuffer buffer;

  /** Reads a result while it is valid. */
  TextReader(ResultDecoder result) {
    this(result.buffer());
  }

  /** Reads a buffer while it is valid. */
  TextReader(DirectBuffer buffer) {
    this.buffer = buffer;
  }

  String text(int offset, int length) {
    return length == 0 ? "" : new String(bytes(offset, length), StandardCharsets.UTF_8);
  }

  byte[] bytes(int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return bytes;
  }
}
