package io.entroq.codec.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.record.Crc32c;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ChunkFrameTest {
  private static final int AT = 3;
  private static final String GOLDEN =
      "45545253" // magic
          + "78560000" // payload length
          + "07" // kind
          + "02" // format
          + "0000"
          + "44332211" // checksum of the payload
          + "0900000000000000" // sequence
          + "0200000000000000" // number
          + "05000000" // items
          + "ddccbbaa" // tag of the state
          + "88776655" // tag of the log
          + "85b01929";

  private final ChunkFrame frame = new ChunkFrame();
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[AT + ChunkFrame.HEADER_BYTES]);

  @Test
  void shouldWriteTheBytesOfFormat2() {
    write();
    byte[] header = new byte[ChunkFrame.HEADER_BYTES];
    buffer.getBytes(AT, header);
    assertThat(HexFormat.of().formatHex(header)).isEqualTo(GOLDEN);
  }

  @Test
  void shouldReadWhatItWrote() {
    write();
    ChunkFrame other = new ChunkFrame();
    assertThat(other.faultOf(buffer, AT)).isEmpty();
    assertThat(other.format()).isEqualTo(2);
    assertThat(other.kind()).isEqualTo(7);
    assertThat(other.items()).isEqualTo(5);
    assertThat(other.sequence()).isEqualTo(9);
    assertThat(other.number()).isEqualTo(2);
    assertThat(other.stateTag()).isEqualTo(0xaabbccdd);
    assertThat(other.logTag()).isEqualTo(0x55667788);
    assertThat(other.payloadCrc()).isEqualTo(0x11223344);
    assertThat(other.payloadLength()).isEqualTo(0x5678);
  }

  @Test
  void shouldRejectEveryFlippedBit() {
    write();
    for (int bit = 0; bit < ChunkFrame.HEADER_BYTES * 8; bit++) {
      flip(bit);
      assertThat(frame.faultOf(buffer, AT)).as("bit %d", bit).isNotEmpty();
      flip(bit);
    }
    assertThat(frame.faultOf(buffer, AT)).isEmpty();
  }

  @Test
  void shouldSayWhatIsWrongWhenTheChecksumMatches() {
    assertThat(faultAfter(ChunkFrame.FORMAT_OFFSET, 0))
        .contains("chunk format 0", "written by a newer build");
    assertThat(faultAfter(ChunkFrame.RESERVED_OFFSET, 1)).contains("written by a newer build");
    assertThat(faultAfter(ChunkFrame.KIND_OFFSET, 0)).contains("kind 0", "out of range");
    assertThat(faultAfter(ChunkFrame.LENGTH_OFFSET + 3, 0x80)).contains("out of range");
    assertThat(faultAfter(ChunkFrame.LENGTH_OFFSET + 3, 0x70)).contains("out of range");
    assertThat(faultAfter(ChunkFrame.ITEMS_OFFSET + 3, 0x80)).contains("out of range");
  }

  @Test
  void shouldWriteNothingThatItWouldNotRead() {
    for (int[] bad : new int[][] {{0, 1, 1}, {256, 1, 1}, {1, -1, 1}, {1, 1, -1}}) {
      assertThatThrownBy(() -> frame.write(buffer, AT, 2, bad[0], bad[1], 9, 1, 0, 0, 0, bad[2]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("invalid chunk: kind %d, %d items".formatted(bad[0], bad[1]));
    }
    assertThatThrownBy(() -> ChunkFrame.requireWritable(1, 1, ChunkFrame.PAYLOAD_BYTES_MAX + 1))
        .isInstanceOf(IllegalArgumentException.class);
    ChunkFrame.requireWritable(255, 0, ChunkFrame.PAYLOAD_BYTES_MAX);
  }

  @Test
  void shouldTellTwoStatesOfOneSequenceApart() {
    assertThat(ChunkFrame.stateTag(1, 2))
        .isNotEqualTo(ChunkFrame.stateTag(2, 1))
        .isNotEqualTo(ChunkFrame.stateTag(1, 3))
        .isEqualTo(ChunkFrame.stateTag(1, 2));
    assertThat(ChunkFrame.logTag(0x1122334455667788L)).isEqualTo(0x55667788);
  }

  private void write() {
    frame.write(buffer, AT, 2, 7, 5, 9, 2, 0xaabbccdd, 0x55667788, 0x11223344, 0x5678);
  }

  private String faultAfter(int offset, int value) {
    write();
    buffer.putByte(AT + offset, (byte) value);
    int sum = new Crc32c().of(buffer, AT, ChunkFrame.SUMMED_BYTES);
    buffer.putInt(AT + ChunkFrame.SUMMED_BYTES, sum, ByteOrder.LITTLE_ENDIAN);
    return frame.faultOf(buffer, AT);
  }

  private void flip(int bit) {
    int at = AT + bit / 8;
    buffer.putByte(at, (byte) (buffer.getByte(at) ^ (1 << (bit % 8))));
  }
}
