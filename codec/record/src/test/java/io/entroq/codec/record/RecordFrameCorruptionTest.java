package io.entroq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RecordFrameCorruptionTest {
  private final RecordFrame frame = new RecordFrame();
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[200]);
  private final int length = write();

  @Test
  void shouldRejectEveryFlippedBit() {
    for (int bit = 0; bit < length * 8; bit++) {
      flip(bit);
      assertThat(frame.check(buffer, 0, length)).as("bit %d", bit).isNotEqualTo(RecordFault.NONE);
      flip(bit);
    }
    assertThat(frame.check(buffer, 0, length)).isEqualTo(RecordFault.NONE);
  }

  @Test
  void shouldRejectEveryPairOfFlippedBitsInTheHeader() {
    for (int first = 0; first < RecordFrame.HEADER_BYTES * 8; first++) {
      flip(first);
      for (int second = first + 1; second < RecordFrame.HEADER_BYTES * 8; second++) {
        flip(second);
        if (frame.check(buffer, 0, length) == RecordFault.NONE) {
          throw new AssertionError("bits " + first + " and " + second);
        }
        flip(second);
      }
      flip(first);
    }
  }

  @Test
  void shouldRejectEveryShorterRecord() {
    for (int available = 0; available < length; available++) {
      assertThat(frame.check(buffer, 0, available)).isEqualTo(RecordFault.TRUNCATED);
    }
  }

  private void flip(int bit) {
    buffer.putByte(bit / 8, (byte) (buffer.getByte(bit / 8) ^ (1 << (bit % 8))));
  }

  private int write() {
    UnsafeBuffer payload = new UnsafeBuffer(new byte[77]);
    payload.setMemory(0, 77, (byte) 0x5a);
    int crc = new Crc32c().of(payload, 0, 77);
    return frame.write(buffer, 0, RecordType.CLAIM, 9, 8, 1_000, 7, crc, payload, 0, 77);
  }
}
