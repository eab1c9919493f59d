package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Readers of a small ring that is written as fast as possible never see a frame in pieces. */
class RingRaceTest {
  private static final int CURSORS = 6;
  private static final long STEPS = 200_000;
  private static final int NAME_BYTES_MAX = 500;

  private final RingMemory memory = new RingMemory(RingMemory.BYTES_MIN);
  private final EffectRing ring = new EffectRing(memory);

  @Test
  void shouldShowWholeFramesOnly() throws Exception {
    ring.start(0, 0);
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < CURSORS; i++) {
        boolean isFast = i % 2 == 0;
        readers.add(pool.submit((Callable<Long>) new Reader(isFast)::read));
      }
      write();
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).as("steps read").isPositive();
      }
    } finally {
      pool.shutdownNow();
    }
    memory.free();
  }

  /** Every byte of a step tells its sequence, and so does the number of its effects. */
  private void write() {
    UnsafeBuffer name = new UnsafeBuffer(new byte[NAME_BYTES_MAX]);
    for (long sequence = 1; sequence <= STEPS; sequence++) {
      name.setMemory(0, NAME_BYTES_MAX, (byte) sequence);
      Steps.begin(ring, sequence);
      for (int i = 0; i < effects(sequence); i++) {
        Steps.tell(ring, sequence, i, name, nameBytes(sequence));
      }
      ring.onStepEnd(sequence);
    }
  }

  private static int effects(long sequence) {
    return 1 + (int) (sequence % 3);
  }

  private static int nameBytes(long sequence) {
    return 1 + (int) (sequence * 31 % NAME_BYTES_MAX);
  }

  private final class Reader {
    private final boolean isFast;
    private final ExpandableArrayBuffer frame = new ExpandableArrayBuffer();
    private final StepFrame step = new StepFrame();
    private long last;
    private long steps;

    Reader(boolean isFast) {
      this.isFast = isFast;
    }

    long read() {
      RingCursor cursor = RingCursor.atEnd(memory);
      while (last < STEPS) {
        int length = cursor.next(Long.MAX_VALUE, Integer.MAX_VALUE, frame);
        if (length > 0) {
          check(step.wrap(frame, 0, length));
        } else if (length == RingCursor.LOST) {
          cursor = again();
        } else if (memory.lastStep() == STEPS) {
          cursor = RingCursor.at(memory, STEPS);
        } else if (isFast) {
          Thread.onSpinWait();
        } else {
          Thread.yield();
        }
      }
      return steps;
    }

    /** Slow ones try the oldest that is there, which is overwritten the soonest. */
    private RingCursor again() {
      RingCursor oldest = isFast ? null : RingCursor.at(memory, RingCursor.firstStep(memory));
      return oldest == null ? RingCursor.atEnd(memory) : oldest;
    }

    private void check(StepFrame read) {
      long sequence = read.sequence();
      require(sequence > 0 && sequence <= STEPS, sequence);
      require(read.effects() == effects(sequence), sequence);
      while (read.next()) {
        check(read.effect(), sequence);
      }
      last = Math.max(last, sequence);
      steps++;
    }

    private void check(EffectReader effect, long sequence) {
      int length = effect.length(EffectParts.QUEUE);
      require(length == nameBytes(sequence) && effect.dueMs() == sequence, sequence);
      for (int i = 0; i < length; i++) {
        byte found = effect.buffer().getByte(effect.offset(EffectParts.QUEUE) + i);
        require(found == (byte) sequence, sequence);
      }
    }

    private void require(boolean holds, long sequence) {
      if (!holds) {
        throw new AssertionError("a frame in pieces, of step " + sequence);
      }
    }
  }
}
