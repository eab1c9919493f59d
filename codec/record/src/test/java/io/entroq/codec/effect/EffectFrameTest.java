package io.entroq.codec.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A frame says what was written, and what is not a whole frame is refused. */
class EffectFrameTest {
  private static final int AT = 8;
  private static final byte UNTOUCHED = 0x5a;
  private static final int LONGEST = 100;

  /**
   * An effect as this test writes and reads it.
   *
   * @param numbers all its fields, in the order of their setters
   * @param parts null if absent
   */
  private record Effect(List<Long> numbers, List<String> parts) {}

  private record Step(long sequence, long timeMs, long byHigh, long byLow, String byText) {}

  private final Random random = Seeds.random("EffectFrameTest");
  private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(100_000));
  private final EffectWriter writer = new EffectWriter();
  private final StepFrame frame = new StepFrame();

  private static UnsafeBuffer bytes(String text) {
    return new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
  }

  // What is written.

  private Step anyStep() {
    return new Step(
        random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong(), anyText());
  }

  private String anyText() {
    return "x".repeat(random.nextInt(4) == 0 ? 0 : random.nextInt(LONGEST));
  }

  private Effect anyEffect(int index) {
    List<Long> numbers = new ArrayList<>();
    numbers.add((long) index);
    numbers.add((long) random.nextInt(Byte.MAX_VALUE));
    numbers.add((long) random.nextInt(1 << 4));
    numbers.add((long) random.nextInt(3));
    numbers.add((long) random.nextInt(5));
    for (int i = 0; i < 4; i++) {
      numbers.add((long) random.nextInt());
    }
    for (int i = 0; i < 10; i++) {
      numbers.add(random.nextLong());
    }
    List<String> parts = new ArrayList<>();
    for (int part = 0; part < EffectParts.COUNT; part++) {
      String text = random.nextBoolean() ? null : anyText();
      parts.add(text != null && text.isEmpty() && part != EffectParts.VALUE ? null : text);
    }
    return new Effect(numbers, parts);
  }

  private List<Effect> anyEffects() {
    List<Effect> effects = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      effects.add(anyEffect(i));
    }
    return effects;
  }

  private int write(int offset, int available, Step step, List<Effect> effects) {
    UnsafeBuffer by = bytes(step.byText());
    writer
        .wrap(buffer, offset, available)
        .begin(
            step.sequence(),
            step.timeMs(),
            step.byHigh(),
            step.byLow(),
            by,
            0,
            step.byText().length());
    effects.forEach(this::write);
    assertThat(writer.effects()).isEqualTo(effects.size());
    return writer.end();
  }

  private void write(Effect effect) {
    List<Long> n = effect.numbers();
    writer
        .effect(n.get(0).intValue(), n.get(1).intValue(), n.get(2).intValue())
        .valueKind(n.get(3).intValue())
        .died(n.get(4).intValue(), n.get(18))
        .version(n.get(5).intValue())
        .count(n.get(6).intValue())
        .attempt(n.get(7).intValue())
        .lapses(n.get(8).intValue())
        .id(n.get(9), n.get(10))
        .insertSequence(n.get(11))
        .dueMs(n.get(12))
        .createdMs(n.get(13))
        .modifiedMs(n.get(14))
        .claimant(n.get(15), n.get(16))
        .expiresMs(n.get(17));
    for (int part = 0; part < EffectParts.COUNT; part++) {
      String text = effect.parts().get(part);
      if (text != null) {
        writer.part(part, bytes("." + text), 1, text.length());
      }
    }
  }

  // What is read.

  private Step readStep() {
    return new Step(
        frame.sequence(),
        frame.logTimeMs(),
        frame.byHigh(),
        frame.byLow(),
        frame.buffer().getStringWithoutLengthUtf8(frame.byTextOffset(), frame.byTextLength()));
  }

  private List<Effect> readEffects() {
    List<Effect> effects = new ArrayList<>();
    while (frame.next()) {
      effects.add(read(frame.effect()));
    }
    return effects;
  }

  private static Effect read(EffectReader effect) {
    int flags =
        (effect.wasInFlight() ? EffectFlags.WAS_IN_FLIGHT : 0)
            | (effect.isFailed() ? EffectFlags.FAILED : 0)
            | (effect.isRequested() ? EffectFlags.REQUESTED : 0)
            | (effect.isInFlight() ? EffectFlags.IN_FLIGHT : 0);
    List<Long> numbers =
        List.of(
            (long) effect.index(),
            (long) effect.kind(),
            (long) flags,
            (long) effect.valueKind(),
            (long) effect.reason(),
            (long) effect.version(),
            (long) effect.count(),
            (long) effect.attempt(),
            (long) effect.lapses(),
            effect.idHigh(),
            effect.idLow(),
            effect.insertSequence(),
            effect.dueMs(),
            effect.createdMs(),
            effect.modifiedMs(),
            effect.claimantHigh(),
            effect.claimantLow(),
            effect.expiresMs(),
            effect.deadAtMs());
    List<String> parts = new ArrayList<>();
    for (int part = 0; part < EffectParts.COUNT; part++) {
      parts.add(
          effect.has(part)
              ? effect.buffer().getStringWithoutLengthUtf8(effect.offset(part), effect.length(part))
              : null);
    }
    return new Effect(numbers, parts);
  }

  @Test
  void shouldReadEveryFieldThatWasWritten() {
    for (int i = 0; i < 2_000; i++) {
      Step step = anyStep();
      List<Effect> effects = anyEffects();
      int length = write(AT, buffer.capacity() - AT, step, effects);
      frame.wrap(buffer, AT, length + random.nextInt(9));
      assertThat(frame.length()).isEqualTo(length).isPositive();
      assertThat(length % Long.BYTES).isZero();
      assertThat(frame.effects()).isEqualTo(effects.size());
      assertThat(readStep()).isEqualTo(step);
      assertThat(readEffects()).isEqualTo(effects);
      assertThat(frame.next()).as("after the last").isFalse();
    }
  }

  @Test
  void shouldTellTheSubjectOfAnEffect() {
    for (int kind = 1; kind <= EffectKinds.MAX; kind++) {
      writer.wrap(buffer, 0, 1_000).begin(1, 0, 0, 0, buffer, 0, 0).effect(0, kind, 0);
      frame.wrap(buffer, 0, writer.end());
      assertThat(frame.next()).isTrue();
      assertThat(frame.effect().isOfTask()).isEqualTo(kind < EffectKinds.DOC_INSERTED);
      assertThat(frame.effect().isOfDocs())
          .isEqualTo(kind >= EffectKinds.DOC_INSERTED && kind < EffectKinds.POLICY_WRITTEN);
      assertThat(frame.effect().step()).isSameAs(frame);
    }
  }

  /** What was in memory before does not show: frames of two writers are equal byte by byte. */
  @Test
  void shouldWriteTheSameBytesOverWhateverWasThere() {
    Step step = anyStep();
    List<Effect> effects = anyEffects();
    buffer.setMemory(0, buffer.capacity(), (byte) 0);
    byte[] first = new byte[write(AT, 50_000, step, effects)];
    buffer.getBytes(AT, first);
    buffer.setMemory(0, buffer.capacity(), UNTOUCHED);
    byte[] second = new byte[write(AT, 50_000, step, effects)];
    buffer.getBytes(AT, second);
    assertThat(second).isEqualTo(first);
  }

  @Test
  void shouldTellAnEmptyValueFromNoneThatIsWanted() {
    writer.wrap(buffer, 0, 1_000).begin(1, 0, 0, 0, buffer, 0, 0);
    writer.effect(0, EffectKinds.INSERTED, 0).valueKind(1).part(EffectParts.VALUE, buffer, 0, 0);
    writer.effect(1, EffectKinds.INSERTED, 0).valueKind(1).part(EffectParts.ERR, buffer, 0, 0);
    frame.wrap(buffer, 0, writer.end());
    assertThat(frame.next()).isTrue();
    assertThat(frame.effect().has(EffectParts.VALUE)).isTrue();
    assertThat(frame.next()).isTrue();
    assertThat(frame.effect().has(EffectParts.VALUE)).isFalse();
    assertThat(frame.effect().has(EffectParts.ERR)).isFalse();
  }

  // Bounds.

  @Test
  void shouldWriteNothingBehindItsBound() {
    Step step = anyStep();
    List<Effect> effects = List.of(anyEffect(0), anyEffect(1), anyEffect(2));
    int whole = write(0, buffer.capacity(), step, effects);
    for (int available = EffectWriter.BYTES_MIN; available < whole + 9; available++) {
      buffer.setMemory(0, buffer.capacity(), UNTOUCHED);
      int length = write(AT, available, step, effects);
      assertThat(length).isEqualTo(available < whole ? 0 : whole);
      int touched = 0;
      for (int i = 0; i < whole + 100; i++) {
        boolean isOutside = i < AT || i >= AT + available;
        touched += isOutside && buffer.getByte(i) != UNTOUCHED ? 1 : 0;
      }
      assertThat(touched).as("bytes outside of %d", available).isZero();
      if (length == 0) {
        assertThatThrownBy(() -> frame.wrap(buffer, AT, whole))
            .isInstanceOf(MalformedMessageException.class);
      }
    }
  }

  @Test
  void shouldGoOnAfterAFrameThatDidNotFit() {
    List<Effect> effects = List.of(anyEffect(0));
    assertThat(write(0, EffectWriter.BYTES_MIN, new Step(1, 1, 1, 1, "x".repeat(900)), effects))
        .isZero();
    frame.wrap(buffer, 0, write(0, 10_000, new Step(1, 1, 1, 1, ""), effects));
    assertThat(readEffects()).isEqualTo(effects);
  }

  @Test
  void shouldRefuseMemoryThatIsTooSmallOrOnTheHeapAndPartsInAnotherOrder() {
    assertThatThrownBy(() -> writer.wrap(buffer, 0, EffectWriter.BYTES_MIN - 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> writer.wrap(buffer, 9, buffer.capacity()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> writer.wrap(buffer, -1, EffectWriter.BYTES_MIN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> writer.wrap(new UnsafeBuffer(new byte[1_000]), 0, 1_000))
        .isInstanceOf(IllegalArgumentException.class);
    writer.wrap(buffer, 0, 1_000).begin(1, 0, 0, 0, buffer, 0, 0).effect(0, 1, 0);
    writer.part(EffectParts.ERR, buffer, 0, 1);
    assertThatThrownBy(() -> writer.part(EffectParts.QUEUE, buffer, 0, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> writer.part(EffectParts.ERR, buffer, 0, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  // What is no frame.

  @Test
  void shouldRefuseEveryShorterFrame() {
    int length = write(0, 50_000, anyStep(), List.of(anyEffect(0), anyEffect(1)));
    for (int available = 0; available < length; available++) {
      int bytes = available;
      assertThatThrownBy(() -> frame.wrap(buffer, 0, bytes))
          .isInstanceOf(MalformedMessageException.class);
    }
  }

  /** Whatever is in a frame: it is read or refused, and nothing outside of it is looked at. */
  @Test
  void shouldStayWithinAFrameOfWhicheverBytes() {
    int refused = 0;
    int rounds = 20_000;
    for (int i = 0; i < rounds; i++) {
      int length = write(0, 50_000, anyStep(), anyEffects());
      byte[] bytes = new byte[length];
      buffer.getBytes(0, bytes);
      UnsafeBuffer altered = new UnsafeBuffer(bytes);
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        alter(altered);
      }
      refused += isReadable(altered) ? 0 : 1;
    }
    assertThat(refused).isBetween(rounds / 50, rounds - 1);
  }

  private void alter(UnsafeBuffer bytes) {
    int at = random.nextInt(bytes.capacity() / Integer.BYTES) * Integer.BYTES;
    switch (random.nextInt(3)) {
      case 0 -> bytes.putByte(at, (byte) random.nextInt());
      case 1 -> bytes.putInt(at, random.nextInt());
      default -> bytes.putInt(at, random.nextInt(2 * bytes.capacity()) - bytes.capacity());
    }
  }

  /** Effects that can be read may have any numbers, and their parts any bytes. */
  private boolean isReadable(UnsafeBuffer bytes) {
    try {
      frame.wrap(bytes, 0, bytes.capacity());
      bytes.checkLimit(frame.byTextOffset() + frame.byTextLength());
      while (frame.next()) {
        EffectReader effect = frame.effect();
        for (int part = 0; part < EffectParts.COUNT; part++) {
          bytes.checkLimit(effect.has(part) ? effect.offset(part) + effect.length(part) : 0);
        }
      }
      return true;
    } catch (MalformedMessageException e) {
      assertThat(e).hasMessageContaining("StepFrame.");
      return false;
    }
  }
}
