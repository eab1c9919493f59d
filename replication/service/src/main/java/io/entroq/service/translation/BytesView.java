package io.entroq.service.translation;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.message.Slice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Points a slice at the bytes of a ByteString; copies them only if they are not contiguous. */
final class BytesView extends ByteOutput {
  private final UnsafeBuffer piece = new UnsafeBuffer(0, 0);
  private Slice slice;
  private int size;

  void show(ByteString bytes, Slice target) {
    target.clear();
    if (bytes.isEmpty()) {
      return;
    }
    slice = target;
    size = bytes.size();
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, this);
    } catch (IOException e) {
      throw new UncheckedIOException("a ByteOutput that writes nothing failed", e);
    }
    if (target.length() == 0) {
      target.wrap(bytes.toByteArray());
    }
  }

  @Override
  public void writeLazy(byte[] value, int offset, int length) {
    if (length == size) {
      piece.wrap(value);
      slice.wrap(piece, offset, length);
    }
  }

  @Override
  public void writeLazy(ByteBuffer value) {
    // Not an array: show() copies it.
  }

  @Override
  public void write(byte[] value, int offset, int length) {
    // The writer may reuse this array.
  }

  @Override
  public void write(ByteBuffer value) {
    // Same here.
  }

  @Override
  public void write(byte value) {
    // Same here.
  }
}
