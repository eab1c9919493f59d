package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectWriter;
import io.entroq.engine.effect.EffectEncoder;

/**
 * Writes the effects of steps into a ring. Only the applying thread calls it, except {@link
 * #wantValues}. It never waits for a reader: one that is too slow notices that its place was
 * overwritten. Writes nothing for a step without effects. For a step that is too large it writes a
 * frame without effects, which tells readers to look for that step elsewhere.
 */
final class EffectRing extends EffectEncoder {
  private final RingMemory memory;
  private volatile boolean areValuesWanted;

  private boolean hasValues;
  private long tail;
  private long announced;
  private long lastStep;
  private int section = -1;

  EffectRing(RingMemory memory) {
    this.memory = memory;
  }

  RingMemory memory() {
    return memory;
  }

  /** Whether the next steps are to have values; any thread. */
  void wantValues(boolean areWanted) {
    areValuesWanted = areWanted;
  }

  /** Begins to write after a step. Once. */
  void start(long sequence, long logTimeMs) {
    lastStep = sequence;
    memory.start(sequence, logTimeMs);
  }

  @Override
  protected boolean begin(EffectWriter into) {
    if (areValuesWanted != hasValues) {
      hasValues = !hasValues;
      memory.valuesFrom(hasValues ? lastStep + 1 : RingMemory.NEVER);
    }
    if (tail + memory.stepBytesMax() > announced) {
      announced = memory.announce(tail);
    }
    into.wrap(memory.data(), memory.offset(tail), memory.stepBytesMax());
    return hasValues;
  }

  @Override
  protected void end(long sequence, int effects, int length) {
    if (effects > 0) {
      publish(length > 0 ? length : writePlaceholder(sequence));
    }
    lastStep = sequence;
    memory.endStep(sequence, logTimeMs());
  }

  private void publish(int length) {
    int begun = memory.section(memory.offset(tail));
    if (begun != section) {
      section = begun;
      memory.beginSection(begun, tail);
    }
    tail = memory.after(tail, length);
    memory.publish(tail);
  }
}
