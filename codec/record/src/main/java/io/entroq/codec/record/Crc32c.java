package io.entroq.codec.record;

import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * CRC32C (Castagnoli) over Agrona buffers of every kind, without allocation per call.
 *
 * <p>Off-heap bytes are copied through a small array, because {@link CRC32C} reads only arrays and
 * byte buffers, and a wrapped address is neither. Not thread-safe.
 */
public final class Crc32c {
  private static final int CHUNK_BYTES = 4096;

  private final CRC32C crc = new CRC32C();
  private byte[] chunk;

  /** The checksum of {@code length} bytes from {@code offset}. */
  public int of(DirectBuffer buffer, int offset, int length) {
    reset();
    update(buffer, offset, length);
    return value();
  }

  public void reset() {
    crc.reset();
  }

  /** Adds {@code length} bytes to the checksum. */
  public void update(DirectBuffer buffer, int offset, int length) {
    buffer.boundsCheck(offset, length);
    byte[] array = buffer.byteArray();
    if (array != null) {
      crc.update(array, buffer.wrapAdjustment() + offset, length);
    } else {
      updateOffHeap(buffer, offset, length);
    }
  }

  /** The checksum of all bytes since {@link #reset()}. */
  public int value() {
    return (int) crc.getValue();
  }

  private void updateOffHeap(DirectBuffer buffer, int offset, int length) {
    if (chunk == null) {
      chunk = new byte[CHUNK_BYTES];
    }
    for (int done = 0; done < length; ) {
      int count = Math.min(CHUNK_BYTES, length - done);
      buffer.getBytes(offset + done, chunk, 0, count);
      crc.update(chunk, 0, count);
      done += count;
    }
  }
}
