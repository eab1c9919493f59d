package io.entroq.simulator.client.knowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.result.TaskFields;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.virtual.SeededRandom;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  private final Values values = new Values();
  private final KnownTask written = new KnownTask();

  ValuesTest() {
    new TaskIds(new SeededRandom(1)).reused(written);
    written.queue = 7;
    written.attempt = 2;
    written.errLength = 30;
    written.write = 12_345;
    written.writtenVersion = 6;
    written.writtenArrivalMs = 1_700_000_000_000L;
    written.marks = KnownTask.POISON;
  }

  /** Reads it from a reply, with one bit flipped if there is one. */
  private KnownTask read(int bitFlipped) {
    values.write(written);
    byte[] value = new byte[written.valueLength];
    values.buffer().getBytes(0, value);
    if (bitFlipped >= 0) {
      value[bitFlipped / 8] ^= (byte) (1 << bitFlipped % 8);
    }
    TaskFields fields = new TaskFields().valueKind(written.valueKind);
    fields.id().set(written.idHigh, written.idLow);
    fields.value().wrap(value);
    fields.err().wrap(values.err(), 0, written.errLength);
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    ResultEncoder encoder =
        new ResultEncoder().wrap(buffer, 0).code(ResultCodes.OK).sequence(1).logTimeMs(1);
    int length = encoder.claimed(fields).length();
    ResultDecoder result = new ResultDecoder();
    result.wrap(new UnsafeBuffer(buffer), 0, length);
    TaskDecoder task = result.claimed(0);
    KnownTask known = new KnownTask();
    known.idHigh = written.idHigh;
    known.idLow = written.idLow;
    known.queue = written.queue;
    known.attempt = written.attempt;
    known.errLength = task.errLength();
    values.read(task, result.buffer(), known);
    return known;
  }

  @ParameterizedTest
  @ValueSource(ints = {48, 49, 55, 56, 128, 1_001, Values.VALUE_BYTES_MAX})
  void shouldTellWhatWasWritten(int length) {
    written.valueLength = length;
    KnownTask known = read(-1);

    assertThat(known.write).isEqualTo(12_345);
    assertThat(known.generation).isEqualTo(written.generation);
    assertThat(known.writtenVersion).isEqualTo(6);
    assertThat(known.writtenArrivalMs).isEqualTo(1_700_000_000_000L);
    assertThat(known.isPoison()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 47, 48, 60, 100})
  void shouldSeeEveryFlippedBit(int length) {
    written.valueLength = length;
    for (int bit = 0; bit < length * 8; bit++) {
      int flipped = bit;
      assertThatThrownBy(() -> read(flipped)).as("bit %d", bit).isInstanceOf(Violation.class);
    }
  }

  @Test
  void shouldSeeAnotherNull() {
    written.valueKind = ValueKinds.JSON;
    written.valueLength = Values.NULL_BYTES;

    assertThatCode(() -> read(-1)).doesNotThrowAnyException();
    assertThatThrownBy(() -> read(3)).isInstanceOf(Violation.class);
  }
}
