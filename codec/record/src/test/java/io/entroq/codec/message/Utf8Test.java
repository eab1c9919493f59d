package io.entroq.codec.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.testing.Seeds;
import java.util.HexFormat;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class Utf8Test {
  private static final int[] EDGES = {
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
    0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
  };

  private final byte[] bytes = new byte[4];
  private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
  private final ByteString reference = UnsafeByteOperations.unsafeWrap(bytes);

  private void assertSameAsProtobuf(int length) {
    boolean expected = reference.substring(0, length).isValidUtf8();
    if (Utf8.isValid(buffer, 0, length) != expected) {
      assertThat(HexFormat.of().formatHex(bytes, 0, length)).as("valid: %s", expected).isNull();
    }
  }

  @Test
  void shouldAgreeWithProtobufOnEverySequenceOfUpToThreeBytes() {
    for (int all = 0; all < 1 << 24; all++) {
      bytes[0] = (byte) (all >> 16);
      bytes[1] = (byte) (all >> 8);
      bytes[2] = (byte) all;
      if ((all & 0xFFFF) == 0) {
        assertSameAsProtobuf(1);
      }
      if ((all & 0xFF) == 0) {
        assertSameAsProtobuf(2);
      }
      assertSameAsProtobuf(3);
    }
  }

  @Test
  void shouldAgreeWithProtobufOnTheEdgesOfFourBytes() {
    for (int first : EDGES) {
      for (int second : EDGES) {
        for (int third : EDGES) {
          for (int fourth : EDGES) {
            bytes[0] = (byte) first;
            bytes[1] = (byte) second;
            bytes[2] = (byte) third;
            bytes[3] = (byte) fourth;
            assertSameAsProtobuf(4);
          }
        }
      }
    }
  }

  @Test
  void shouldFindASingleBadByteAnywhereInATextOfAnyLength() {
    Random random = Seeds.random("UTF-8");
    WireReader reader = new WireReader();
    for (int length = 1; length <= 64; length++) {
      for (int bad = -1; bad < length; bad++) {
        byte[] field = new byte[length + 1];
        random.nextBytes(field);
        field[0] = (byte) length;
        for (int i = 1; i <= length; i++) {
          field[i] &= 0x7F;
        }
        if (bad >= 0) {
          field[bad + 1] |= (byte) 0x80;
        }
        reader.wrap(new UnsafeBuffer(field), 0, field.length);
        boolean expected = UnsafeByteOperations.unsafeWrap(field, 1, length).isValidUtf8();
        assertThat(isText(reader)).isEqualTo(expected);
      }
    }
  }

  private static boolean isText(WireReader reader) {
    try {
      reader.text("text", FieldLimits.UNBOUNDED);
      return true;
    } catch (MalformedMessageException e) {
      return false;
    }
  }
}
