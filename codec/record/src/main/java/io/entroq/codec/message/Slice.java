package io.entroq.codec.message;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Some bytes that lie elsewhere, to be copied by an encoder. Reused; one thread at a time. It does
 * not notice when they change or move, so encode before the source does either.
 */
public final class Slice {
  private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
  private int length;

  /** An empty slice. */
  public Slice() {}

  /** A slice of a whole array. */
  public Slice(byte[] bytes) {
    wrap(bytes);
  }

  /** Makes it empty. */
  public Slice clear() {
    length = 0;
    return this;
  }

  /** Refers to a part of a buffer. */
  public Slice wrap(DirectBuffer buffer, int offset, int length) {
    if (length != 0) {
      view.wrap(buffer, offset, length);
    }
    this.length = length;
    return this;
  }

  /** Refers to a whole array. */
  public Slice wrap(byte[] bytes) {
    if (bytes.length != 0) {
      view.wrap(bytes);
    }
    length = bytes.length;
    return this;
  }

  /** How many bytes there are. */
  public int length() {
    return length;
  }

  /** The bytes, from offset 0; meaningless if there are none. */
  public DirectBuffer buffer() {
    return view;
  }

  UnsafeBuffer view() {
    return view;
  }
}
