package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.message.Slice;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.effect.EffectSink;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Telling effects to somebody who writes frames makes no objects. */
class EffectAllocationTest extends StateTestBase {
  private static final int CYCLES = 20_000;

  private final Slice queue = new Slice("inbox".getBytes(StandardCharsets.UTF_8));
  private final ReusedCommands commands = new ReusedCommands(machine);
  private final Frames frames = new Frames();

  private static final class Frames implements EffectSink {
    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(2_000));
    private final EffectWriter writer = new EffectWriter();
    private long effects;
    private long bytes;

    @Override
    public void onStep(
        long sequence,
        long logTimeMs,
        long byHigh,
        long byLow,
        DirectBuffer byText,
        int offset,
        int length) {
      writer
          .wrap(memory, 0, memory.capacity())
          .begin(sequence, logTimeMs, byHigh, byLow, byText, offset, length);
    }

    @Override
    public void onTask(
        long sequence,
        int index,
        int kind,
        int flags,
        TaskView task,
        long insertSequence,
        Bytes formerQueue) {
      writer
          .effect(index, kind, flags)
          .version(task.version())
          .id(task.idHigh(), task.idLow())
          .insertSequence(insertSequence)
          .dueMs(task.arrivalMs())
          .part(EffectParts.QUEUE, task.queueBuffer(), task.queueOffset(), task.queueLength())
          .part(EffectParts.VALUE, task.valueBuffer(), task.valueOffset(), task.valueLength());
    }

    @Override
    public void onDoc(long sequence, int index, int kind, int flags, DocView doc) {
      throw new AssertionError("there are no docs");
    }

    @Override
    public void onStepEnd(long sequence) {
      effects += writer.effects();
      bytes += writer.end();
    }
  }

  @Test
  void shouldMakeNoObjects() {
    commands.data.queue().wrap("inbox".getBytes(StandardCharsets.UTF_8));
    machine.tellEffects(frames);
    run();
    long before = frames.effects;
    long allocated = ReusedCommands.allocatedBytes(this::run);
    assertThat((double) allocated / CYCLES).as("bytes per cycle").isLessThan(1);
    assertThat(frames.effects - before).as("insert, claim, delete").isEqualTo(3L * CYCLES);
    assertThat(frames.bytes).isPositive();
  }

  private void run() {
    for (int i = 0; i < CYCLES; i++) {
      nowMs++;
      commands.insert(nowMs);
      if (commands.claim(queue, nowMs)) {
        commands.deleteClaimed(queue, nowMs);
      }
    }
  }
}
