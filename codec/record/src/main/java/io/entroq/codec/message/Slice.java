package io.entroq.codec.message;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A reference to bytes that an encoder copies; initially empty. It does not notice if they change
 * or move, so encode first. Reusable; not thread-safe.
 */
public final class Slice {
  final UnsafeBuffer view = new UnsafeBuffer(0, 0);
  int length;

  public Slice() {}

  public Slice(byte[] bytes) {
    wrap(bytes);
  }

  public Slice clear() {
    length = 0;
    return this;
  }

  public Slice wrap(DirectBuffer buffer, int offset, int length) {
    if (length != 0) {
      view.wrap(buffer, offset, length);
    }
    this.length = length;
    return this;
  }

  public Slice wrap(byte[] bytes) {
    if (bytes.length != 0) {
      view.wrap(bytes);
    }
    length = bytes.length;
    return this;
  }

  public int length() {
    return length;
  }

  /** The bytes, from offset 0; undefined if the slice is empty. */
  public DirectBuffer buffer() {
    return view;
  }
}
