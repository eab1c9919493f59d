package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Covers every bit of a frame except the field that stores the checksum. */
class FrameChecksumTest {
  private static final int HEADER_BYTES = 32;
  private static final int KEPT_AT = 12;
  private static final int KEPT_TO = 16;
  private static final int AT = 64;
  private static final int LENGTH = 96;

  private final UnsafeBuffer bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(4 * AT));
  private final FrameChecksum checksum = new FrameChecksum();

  @Test
  void shouldDependOnEachBit() {
    for (int i = 0; i < bytes.capacity(); i++) {
      bytes.putByte(i, (byte) (31 * i));
    }
    int sum = sum();
    for (int i = 0; i < bytes.capacity(); i++) {
      boolean counts = i >= AT && i < AT + LENGTH && (i < AT + KEPT_AT || i >= AT + KEPT_TO);
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        flip(i, bit);
        assertThat(sum() != sum).as("bit %d of byte %d counts", bit, i).isEqualTo(counts);
        flip(i, bit);
      }
    }
  }

  private void flip(int at, int bit) {
    bytes.putByte(at, (byte) (bytes.getByte(at) ^ 1 << bit));
  }

  private int sum() {
    return checksum.compute(bytes.addressOffset(), AT + HEADER_BYTES, LENGTH - HEADER_BYTES);
  }
}
