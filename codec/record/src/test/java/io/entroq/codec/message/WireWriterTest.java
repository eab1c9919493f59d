package io.entroq.codec.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** That a writer notices when its buffer has changed since it was wrapped last. */
class WireWriterTest {
  private static final int BYTES = 64;

  private final WireWriter writer = new WireWriter();

  private void write(MutableDirectBuffer target, long value) {
    writer.wrap(target, 0);
    writer.fixed64Field(1, value);
  }

  private static long written(MutableDirectBuffer target) {
    return target.getLong(1);
  }

  @Test
  void shouldFollowABufferThatSomebodyElseHasLetGrow() {
    MutableDirectBuffer target = new ExpandableArrayBuffer(BYTES);
    write(target, 7);
    target.putByte(2 * BYTES, (byte) 1);
    write(target, 8);
    assertThat(written(target)).isEqualTo(8);
  }

  @Test
  void shouldFollowABufferThatIsWrappedAroundOtherBytes() {
    UnsafeBuffer target = new UnsafeBuffer(new byte[BYTES]);
    write(target, 7);
    target.wrap(new byte[BYTES]);
    write(target, 8);
    assertThat(written(target)).isEqualTo(8);
    byte[] shared = new byte[2 * BYTES];
    target.wrap(shared, 0, BYTES);
    write(target, 9);
    target.wrap(shared, BYTES, BYTES);
    write(target, 10);
    assertThat(written(target)).isEqualTo(10);
  }

  @Test
  void shouldWriteToAnotherBufferOfTheSameSize() {
    UnsafeBuffer first = new UnsafeBuffer(new byte[BYTES]);
    UnsafeBuffer second = new UnsafeBuffer(new byte[BYTES]);
    write(first, 7);
    write(second, 8);
    assertThat(written(first)).isEqualTo(7);
    assertThat(written(second)).isEqualTo(8);
  }
}
