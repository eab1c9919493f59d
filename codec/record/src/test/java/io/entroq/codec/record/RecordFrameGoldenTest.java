package io.entroq.codec.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The bytes of schema version 1, which stay readable for ever. */
class RecordFrameGoldenTest {
  private static final String VERSION_1 =
      "4554525106000000030100002b216b42"
          + "55443322110000000044332211000000"
          + "0068e5cf8b0100000d0c0b0ac9030b6c"
          + "676f6c64656e";

  private final RecordFrame frame = new RecordFrame();

  @Test
  void shouldWriteTheGoldenBytes() {
    UnsafeBuffer payload = new UnsafeBuffer("golden".getBytes(StandardCharsets.UTF_8));
    UnsafeBuffer target = new UnsafeBuffer(new byte[54]);
    int crc = new Crc32c().of(payload, 0, 6);
    frame.write(
        target, 0, 3, 0x1122334455L, 0x1122334400L, 0x18bcfe56800L, 0x0a0b0c0d, crc, payload, 0, 6);
    assertThat(HexFormat.of().formatHex(target.byteArray())).isEqualTo(VERSION_1);
  }

  @Test
  void shouldReadTheGoldenBytes() {
    UnsafeBuffer source = new UnsafeBuffer(HexFormat.of().parseHex(VERSION_1));
    frame.verify(source, 0, source.capacity());
    assertThat(frame.type()).isEqualTo(RecordType.MODIFY);
    assertThat(frame.sequence()).isEqualTo(0x1122334455L);
    assertThat(frame.forcedSequence()).isEqualTo(0x1122334400L);
    assertThat(frame.logTimeMs()).isEqualTo(0x18bcfe56800L);
    assertThat(frame.logTag()).isEqualTo(0x0a0b0c0d);
    assertThat(source.getStringWithoutLengthUtf8(RecordFrame.HEADER_BYTES, 6)).isEqualTo("golden");
  }
}
