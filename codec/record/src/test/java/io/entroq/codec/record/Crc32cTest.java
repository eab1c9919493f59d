package io.entroq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class Crc32cTest {
  private static final int BYTES = 10_007;
  private final Crc32c crc = new Crc32c();

  @Test
  void shouldGiveTheCheckValueOfTheStandard() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertThat(crc.of(new UnsafeBuffer(digits), 0, digits.length)).isEqualTo(0xE3069283);
  }

  @Test
  void shouldAgreeOverEveryKindOfBuffer() {
    byte[] bytes = new byte[BYTES];
    new Random(7).nextBytes(bytes);
    ByteBuffer direct = ByteBuffer.allocateDirect(BYTES + 5);
    MutableDirectBuffer[] buffers = {
      new UnsafeBuffer(new byte[BYTES]),
      new UnsafeBuffer(new byte[BYTES + 5], 5, BYTES),
      new UnsafeBuffer(ByteBuffer.allocate(BYTES)),
      new UnsafeBuffer(ByteBuffer.allocate(BYTES + 5), 5, BYTES),
      new UnsafeBuffer(direct, 5, BYTES),
      new UnsafeBuffer(BufferUtil.address(direct), BYTES),
      new ExpandableArrayBuffer(16),
      new ExpandableDirectByteBuffer(16)
    };
    for (MutableDirectBuffer buffer : buffers) {
      buffer.putBytes(0, bytes);
      assertThat(crc.of(buffer, 3, BYTES - 10)).isEqualTo(expected(bytes, 3, BYTES - 10));
      assertThat(crc.of(buffer, BYTES, 0)).isZero();
    }
    assertThat(direct.position()).isZero();
  }

  @Test
  void shouldSumInPartsAsInWhole() {
    byte[] bytes = new byte[BYTES];
    new Random(8).nextBytes(bytes);
    DirectBuffer buffer = new UnsafeBuffer(bytes);
    crc.reset();
    crc.update(buffer, 0, 4_000);
    crc.update(buffer, 4_000, BYTES - 4_000);
    assertThat(crc.value()).isEqualTo(expected(bytes, 0, BYTES));
  }

  @Test
  void shouldRefuseBytesOutsideTheBuffer() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[100], 10, 20);
    assertThatThrownBy(() -> crc.of(buffer, 10, 11)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static int expected(byte[] bytes, int offset, int length) {
    CRC32C reference = new CRC32C();
    reference.update(bytes, offset, length);
    return (int) reference.getValue();
  }
}
