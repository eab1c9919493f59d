package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.engine.effect.EffectEncoder;
import io.entroq.engine.effect.EffectSink;
import io.entroq.engine.task.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** Tells steps to a sink as a state machine does: breakers that open, which need no task. */
final class Steps {
  static final long TIME_MS = 1_000_000;

  private static final UnsafeBuffer NOBODY = new UnsafeBuffer(new byte[0]);

  private Steps() {}

  /** A step with an effect on each queue, one millisecond after the one before. */
  static void tell(EffectSink sink, long sequence, String... queues) {
    begin(sink, sequence);
    for (int i = 0; i < queues.length; i++) {
      byte[] name = queues[i].getBytes(StandardCharsets.UTF_8);
      tell(sink, sequence, i, new UnsafeBuffer(name), name.length);
    }
    sink.onStepEnd(sequence);
  }

  static void begin(EffectSink sink, long sequence) {
    sink.onStep(sequence, TIME_MS + sequence, 0, 0, NOBODY, 0, 0);
  }

  static void tell(EffectSink sink, long sequence, int index, UnsafeBuffer name, int length) {
    Bytes queue = new Bytes();
    queue.set(name, 0, length);
    sink.onQueue(sequence, index, EffectKinds.BREAKER_OPENED, 0, queue, sequence);
  }

  /** Writes each step to the same place. */
  static final class Direct extends EffectEncoder {
    final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 20));
    int length;

    @Override
    protected boolean begin(EffectWriter into) {
      into.wrap(memory, 0, memory.capacity());
      return false;
    }

    @Override
    protected void end(long sequence, int effects, int bytes) {
      length = bytes;
    }
  }
}
