package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.effect.StepFrame;
import java.util.Arrays;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A ring with readers on the thread that writes. */
class EffectRingTest {
  private static final int CAPACITY = RingMemory.BYTES_MIN;
  private static final String LARGE = "x".repeat(CAPACITY / 8);

  private final RingMemory memory = new RingMemory(CAPACITY);
  private final EffectRing ring = new EffectRing(memory);
  private final ExpandableArrayBuffer frame = new ExpandableArrayBuffer();
  private final StepFrame step = new StepFrame();
  private final Random random = new Random(7);

  @AfterEach
  void free() {
    memory.free();
  }

  private int next(RingCursor cursor) {
    return cursor.next(Long.MAX_VALUE, Integer.MAX_VALUE, frame);
  }

  private long nextSequence(RingCursor cursor) {
    int length = next(cursor);
    assertThat(length).isPositive();
    return step.wrap(frame, 0, length).sequence();
  }

  private String[] randomQueues() {
    String[] queues = new String[random.nextInt(5)];
    for (int i = 0; i < queues.length; i++) {
      queues[i] = "q".repeat(1 + random.nextInt(300));
    }
    return queues;
  }

  @Test
  void shouldGiveTheFramesThatWereWrittenOverManyLaps() {
    ring.start(0, 0);
    RingCursor cursor = RingCursor.atEnd(memory);
    Steps.Direct direct = new Steps.Direct();
    byte[] expected = new byte[1 << 16];
    byte[] found = new byte[1 << 16];
    for (long sequence = 1; sequence <= 5_000; sequence++) {
      String[] queues = randomQueues();
      Steps.tell(ring, sequence, queues);
      Steps.tell(direct, sequence, queues);
      int length = next(cursor);
      if (queues.length > 0) {
        assertThat(length).isEqualTo(direct.length);
        direct.memory.getBytes(0, expected, 0, length);
        frame.getBytes(0, found, 0, length);
        assertThat(found).startsWith(Arrays.copyOf(expected, length));
      }
      assertThat(next(cursor)).isEqualTo(RingCursor.NONE);
      assertThat(memory.lastStep()).isEqualTo(sequence);
      assertThat(memory.logTimeMs(sequence)).isEqualTo(Steps.TIME_MS + sequence);
    }
    assertThat(memory.tail()).as("laps").isGreaterThan(10L * CAPACITY);
  }

  @Test
  void shouldKnowTheTimesOfTheLastStepsAndOfTheOneBeforeAll() {
    assertThat(memory.logTimeMs(0)).as("before it begins").isZero();
    ring.start(7, 70);
    int last = 8 + 3 * RingMemory.TIMES;
    for (long sequence = 8; sequence <= last; sequence++) {
      Steps.tell(ring, sequence);
    }
    assertThat(memory.logTimeMs(6)).isZero();
    assertThat(memory.logTimeMs(7)).isEqualTo(70);
    assertThat(memory.logTimeMs(8)).as("another step has its place").isZero();
    assertThat(memory.logTimeMs(last - RingMemory.TIMES + 1)).isZero();
    assertThat(memory.logTimeMs(last - RingMemory.TIMES + 2))
        .isEqualTo(Steps.TIME_MS + last - RingMemory.TIMES + 2);
    assertThat(memory.logTimeMs(last)).isEqualTo(Steps.TIME_MS + last);
    assertThat(memory.logTimeMs(last + 1)).isZero();
  }

  @Test
  void shouldWriteNothingForAStepWithoutEffects() {
    ring.start(0, 0);
    Steps.tell(ring, 1);
    assertThat(memory.tail()).isZero();
    assertThat(memory.lastStep()).isEqualTo(1);
  }

  @Test
  void shouldTellACursorThatItWasOvertaken() {
    ring.start(0, 0);
    RingCursor cursor = RingCursor.atEnd(memory);
    Steps.tell(ring, 1, "first");
    long sequence = 1;
    while (memory.isThere(0)) {
      Steps.tell(ring, ++sequence, randomQueues());
    }
    assertThat(next(cursor)).isEqualTo(RingCursor.LOST);
    assertThat(memory.tail()).as("before its place was written").isLessThan(CAPACITY);
  }

  @Test
  void shouldNotTrustAFrameThatWasOverwrittenWhileItWasCopied() {
    ring.start(0, 0);
    RingCursor cursor = RingCursor.atEnd(memory);
    Steps.tell(ring, 1, "first");
    ExpandableArrayBuffer slow =
        new ExpandableArrayBuffer() {
          @Override
          public void putBytes(int index, DirectBuffer source, int offset, int length) {
            for (long sequence = 2; memory.isThere(0); sequence++) {
              Steps.tell(ring, sequence, "q".repeat(1_000));
            }
            super.putBytes(index, source, offset, length);
          }
        };
    assertThat(cursor.next(Long.MAX_VALUE, Integer.MAX_VALUE, slow)).isEqualTo(RingCursor.LOST);
  }

  @Test
  void shouldFindTheFirstFrameFromEachStepOnWhileItIsThere() {
    ring.start(100, 0);
    long last = 100;
    for (int lap = 0; lap < 400; lap++) {
      for (int i = 0; i < 10; i++) {
        Steps.tell(ring, ++last, "q".repeat(1 + random.nextInt(100)));
      }
      long first = RingCursor.firstStep(memory);
      assertThat(first).isBetween(101L, last);
      for (long wanted : new long[] {first, first + 1, (first + last) / 2, last}) {
        RingCursor cursor = RingCursor.at(memory, wanted);
        assertThat(cursor).as("%d of %d to %d", wanted, first, last).isNotNull();
        assertThat(nextSequence(cursor)).isEqualTo(wanted);
      }
      assertThat(next(RingCursor.at(memory, last + 1))).isEqualTo(RingCursor.NONE);
      assertThat(RingCursor.at(memory, first - 1)).as("gone").isNull();
    }
    assertThat(memory.isThere(0)).as("the first is there").isFalse();
  }

  @Test
  void shouldKeepMostOfWhatFits() {
    ring.start(0, 0);
    for (long sequence = 1; memory.tail() < 5L * CAPACITY; sequence++) {
      Steps.tell(ring, sequence, "q".repeat(100));
    }
    RingCursor cursor = RingCursor.at(memory, RingCursor.firstStep(memory));
    int bytes = 0;
    for (int length = next(cursor); length > 0; length = next(cursor)) {
      bytes += length;
    }
    assertThat(bytes).isGreaterThan(CAPACITY * 2 / 3);
  }

  @Test
  void shouldLeaveAMarkInPlaceOfAStepThatIsTooLarge() {
    ring.start(0, 0);
    RingCursor cursor = RingCursor.atEnd(memory);
    Steps.tell(ring, 1, "a");
    Steps.tell(ring, 2, LARGE);
    Steps.tell(ring, 3, "b");
    assertThat(nextSequence(cursor)).isEqualTo(1);
    assertThat(nextSequence(cursor)).isEqualTo(2);
    assertThat(step.effects()).isZero();
    assertThat(nextSequence(cursor)).isEqualTo(3);
    assertThat(step.effects()).isEqualTo(1);
  }

  @Test
  void shouldReadNoFurtherThanIsAllowed() {
    ring.start(0, 0);
    RingCursor cursor = RingCursor.atEnd(memory);
    Steps.tell(ring, 1, "a");
    assertThat(cursor.next(0, 10_000, frame)).isEqualTo(RingCursor.NONE);
    assertThat(cursor.next(1, 10, frame)).isEqualTo(RingCursor.FULL);
    assertThat(cursor.next(1, 10_000, frame)).isPositive();
  }

  @Test
  void shouldSayFromWhichStepOnThereAreValues() {
    assertThat(memory.firstStep(false)).isEqualTo(RingMemory.NEVER);
    ring.start(4, 0);
    assertThat(memory.firstStep(false)).isEqualTo(5);
    Steps.tell(ring, 5);
    ring.wantValues(true);
    assertThat(memory.firstStep(true)).isEqualTo(RingMemory.NEVER);
    Steps.tell(ring, 6);
    assertThat(memory.firstStep(true)).isEqualTo(6);
    ring.wantValues(false);
    Steps.tell(ring, 7);
    assertThat(memory.firstStep(true)).isEqualTo(RingMemory.NEVER);
  }

  @Test
  void shouldRefuseASizeThatIsNoPowerOfTwo() {
    assertThatThrownBy(() -> new RingMemory(100_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("100,000");
    assertThatThrownBy(() -> new RingMemory(1 << 15)).isInstanceOf(IllegalArgumentException.class);
  }
}
