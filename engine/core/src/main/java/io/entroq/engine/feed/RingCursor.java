package io.entroq.engine.feed;

import io.entroq.codec.effect.StepFrame;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * A reader's place in a ring. One thread at a time, and none after the ring was freed. What it
 * reads may be overwritten meanwhile, so it looks at nothing of a frame before it has copied it and
 * knows that it was still there.
 */
final class RingCursor {
  /** There is no frame yet. */
  static final int NONE = 0;

  /** The writer has overtaken this cursor, which is of no use any more. */
  static final int LOST = -1;

  /** The next frame is too long. */
  static final int FULL = -2;

  private static final long NOWHERE = -1;

  private final RingMemory memory;
  private final DirectBuffer data;
  private long position;

  private RingCursor(RingMemory memory, long position) {
    this.memory = memory;
    data = memory.data();
    this.position = position;
  }

  /** Behind all frames that were published. */
  static RingCursor atEnd(RingMemory memory) {
    return new RingCursor(memory, memory.tail());
  }

  /**
   * In front of the first frame from a step on.
   *
   * @return null if frames of that step or later ones are gone, or were never there
   */
  static RingCursor at(RingMemory memory, long sequence) {
    long nearest = NOWHERE;
    for (int i = 0; i < memory.sections(); i++) {
      long begin = memory.beginOfSection(i);
      if (begin > nearest && sequenceAt(memory, begin) <= sequence) {
        nearest = begin;
      }
    }
    if (nearest == NOWHERE && sequence >= memory.firstStep(false)) {
      // No frame is so old, unless it is gone.
      nearest = 0;
    }
    RingCursor cursor = new RingCursor(memory, nearest);
    return nearest != NOWHERE && cursor.skipBefore(sequence) ? cursor : null;
  }

  /** The first step from which on all frames are there. */
  static long firstStep(RingMemory memory) {
    if (memory.isThere(0)) {
      return memory.firstStep(false);
    }
    long first = RingMemory.NEVER;
    for (int i = 0; i < memory.sections(); i++) {
      first = Math.min(first, sequenceAt(memory, memory.beginOfSection(i)));
    }
    return first;
  }

  /**
   * Whether the ring can have told of a step when it had a log time. True as well if the ring does
   * not know: only who reads the history does then.
   *
   * @param hasEffects whether effects of the step were told
   */
  static boolean hasTold(RingMemory memory, long sequence, long timeMs, boolean hasEffects) {
    long knownMs = memory.logTimeMs(sequence);
    if (knownMs != 0) {
      return knownMs == timeMs;
    }
    RingCursor cursor = at(memory, sequence);
    return cursor == null || cursor.isNext(sequence, timeMs, hasEffects);
  }

  /** Whether the next frame is of a step of that time, or of a later one if it had no effects. */
  private boolean isNext(long sequence, long timeMs, boolean hasEffects) {
    if (position >= memory.tail()) {
      return !hasEffects;
    }
    int offset = memory.offset(position);
    long found = StepFrame.sequenceAt(data, offset);
    long foundMs = StepFrame.logTimeMsAt(data, offset);
    boolean isSame = found == sequence ? foundMs == timeMs : !hasEffects && foundMs >= timeMs;
    return isSame || !memory.isThere(position);
  }

  /** The step of the frame at a position; {@link RingMemory#NEVER} if it is not there. */
  private static long sequenceAt(RingMemory memory, long position) {
    if (position >= memory.tail()) {
      return RingMemory.NEVER;
    }
    long sequence = StepFrame.sequenceAt(memory.data(), memory.offset(position));
    return memory.isThere(position) ? sequence : RingMemory.NEVER;
  }

  /** False if the writer has overtaken it. */
  private boolean skipBefore(long sequence) {
    while (position < memory.tail()) {
      int offset = memory.offset(position);
      int length = StepFrame.lengthAt(data, offset);
      boolean isBefore = StepFrame.sequenceAt(data, offset) < sequence;
      if (!memory.isThere(position)) {
        return false;
      }
      if (!isBefore) {
        return true;
      }
      position = memory.after(position, length);
    }
    return memory.isThere(position);
  }

  /**
   * Copies the next frame.
   *
   * @param lastStep the last step that may be read
   * @param bytesMax most bytes of the frame
   * @param into gets the frame from its begin on
   * @return the length of the frame, {@link #NONE}, {@link #LOST} or {@link #FULL}
   */
  int next(long lastStep, int bytesMax, ExpandableArrayBuffer into) {
    if (position >= memory.tail()) {
      return NONE;
    }
    int offset = memory.offset(position);
    int length = StepFrame.lengthAt(data, offset);
    long sequence = StepFrame.sequenceAt(data, offset);
    if (!memory.isThere(position)) {
      return LOST;
    }
    if (sequence > lastStep) {
      return NONE;
    }
    if (length > bytesMax) {
      return FULL;
    }
    into.putBytes(0, data, offset, length);
    if (!memory.isThere(position)) {
      return LOST;
    }
    position = memory.after(position, length);
    return length;
  }
}
