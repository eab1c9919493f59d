package io.entroq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RecordFrameTest {
  private final RecordFrame frame = new RecordFrame();
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);

  @Test
  void shouldReadBackWhatItWrote() {
    int length = write(buffer, 20, "hello");
    assertThat(length).isEqualTo(53);

    assertThat(frame.check(buffer, 20, 53)).isEqualTo(RecordFault.NONE);
    assertThat(frame.type()).isEqualTo(RecordType.MODIFY);
    assertThat(frame.sequence()).isEqualTo(42);
    assertThat(frame.forcedSequence()).isEqualTo(40);
    assertThat(frame.logTimeMs()).isEqualTo(1_700_000_000_123L);
    assertThat(frame.logTag()).isEqualTo(0xCAFEBABE);
    assertThat(frame.payloadLength()).isEqualTo(5);
    assertThat(frame.payloadCrc()).isEqualTo(new Crc32c().of(buffer, 68, 5));
    assertThat(frame.length()).isEqualTo(53);
  }

  @Test
  void shouldTakeAnEmptyPayload() {
    int length = write(buffer, 0, "");
    assertThat(length).isEqualTo(RecordFrame.HEADER_BYTES);
    assertThat(frame.check(buffer, 0, length)).isEqualTo(RecordFault.NONE);
  }

  @Test
  void shouldWriteTheSameBytesOutsideTheHeap() {
    UnsafeBuffer direct =
        new UnsafeBuffer(BufferUtil.address(java.nio.ByteBuffer.allocateDirect(64)), 64);
    int length = write(direct, 0, "hello");
    write(buffer, 0, "hello");
    byte[] heap = new byte[length];
    byte[] offHeap = new byte[length];
    buffer.getBytes(0, heap);
    direct.getBytes(0, offHeap);
    assertThat(offHeap).isEqualTo(heap);
    assertThat(frame.check(direct, 0, length)).isEqualTo(RecordFault.NONE);
  }

  @Test
  void shouldSayWhatIsWrongAndWhereWhenVerifying() {
    write(buffer, 20, "hello");
    buffer.putByte(70, (byte) 'L');
    assertThatThrownBy(() -> frame.verify(buffer, 20, 53))
        .isInstanceOf(CorruptRecordException.class)
        .hasMessage(
            "record at offset 20: checksum of the payload (5 bytes of record 42) does not match");
    assertThatThrownBy(() -> frame.verify(buffer, 20, 50))
        .hasMessage("record at offset 20: 2 bytes left, the payload has 5");
    assertThatThrownBy(() -> frame.verify(buffer, 20, 47))
        .hasMessage("record at offset 20: 47 bytes left, a header has 48");
    assertThatThrownBy(() -> frame.verify(buffer, 120, 136))
        .hasMessage("record at offset 120: magic is 00000000, not 51525445");
  }

  @Test
  void shouldTellARecordOfALaterBuildFromABadOne() {
    write(buffer, 0, "hello");
    buffer.putByte(RecordFrame.SCHEMA_VERSION_OFFSET, (byte) 2);
    assertThat(frame.check(buffer, 0, 53)).isEqualTo(RecordFault.HEADER_CRC);
    buffer.putInt(RecordFrame.HEADER_CRC_OFFSET, new Crc32c().of(buffer, 0, 44));
    assertThat(frame.check(buffer, 0, 53)).isEqualTo(RecordFault.UNSUPPORTED);
    assertThatThrownBy(() -> frame.verify(buffer, 0, 53)).hasMessageContaining("version 2, MODIFY");
  }

  @Test
  void shouldRejectAHeaderThatContradictsItself() {
    write(buffer, 0, "hello");
    buffer.putLong(RecordFrame.FORCED_SEQUENCE_OFFSET, 42);
    buffer.putInt(RecordFrame.HEADER_CRC_OFFSET, new Crc32c().of(buffer, 0, 44));
    assertThat(frame.check(buffer, 0, 53)).isEqualTo(RecordFault.RANGE);
  }

  @Test
  void shouldRefuseToWriteWhatItWouldReject() {
    UnsafeBuffer empty = new UnsafeBuffer(new byte[0]);
    assertThatThrownBy(() -> frame.write(buffer, 0, 0, 1, 0, 0, 0, 0, empty, 0, 0))
        .hasMessageContaining("type 0");
    assertThatThrownBy(() -> frame.write(buffer, 0, 1, 0, 0, 0, 0, 0, empty, 0, 0))
        .hasMessageContaining("sequence 0");
    assertThatThrownBy(() -> frame.write(buffer, 0, 1, 1, 1, 0, 0, 0, empty, 0, 0))
        .hasMessageContaining("forced sequence 1");
  }

  private int write(UnsafeBuffer target, int offset, String text) {
    UnsafeBuffer payload = new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
    int crc = new Crc32c().of(payload, 0, payload.capacity());
    return frame.write(
        target,
        offset,
        RecordType.MODIFY,
        42,
        40,
        1_700_000_000_123L,
        0xCAFEBABE,
        crc,
        payload,
        0,
        payload.capacity());
  }
}
