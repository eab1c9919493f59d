package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.message.Slice;
import io.entroq.engine.effect.EffectEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Telling effects to somebody who writes frames makes no objects. */
class EffectAllocationTest extends StateTestBase {
  private static final int CYCLES = 20_000;

  private final Slice queue = new Slice("inbox".getBytes(StandardCharsets.UTF_8));
  private final ReusedCommands commands = new ReusedCommands(machine);
  private final Frames frames = new Frames();

  private static final class Frames extends EffectEncoder {
    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(2_000));
    private long effects;
    private long bytes;

    @Override
    protected boolean begin(EffectWriter into) {
      into.wrap(memory, 0, memory.capacity());
      return true;
    }

    @Override
    protected void end(long sequence, int count, int length) {
      effects += count;
      bytes += length;
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
