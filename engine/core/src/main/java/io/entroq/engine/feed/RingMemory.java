package io.entroq.engine.feed;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory of a ring of frames, and how far it is written. Positions count bytes since the
 * beginning and only grow; frames begin at multiples of 8. One thread writes, and any thread reads:
 * it copies and then asks {@link #isThere} whether what it copied was still the same.
 *
 * <p>Only the frames are outside of the heap, so the numbers can be read after {@link #free}.
 */
final class RingMemory {
  static final int BYTES_MIN = 1 << 16;
  static final int BYTES_MAX = 1 << 30;

  /** A step may have this part of the ring. */
  private static final int STEPS = 8;

  /** The place of a frame at the begin of each of so many sections is known. */
  private static final int SECTIONS = 64;

  /** The times of so many of the last steps are known, with effects or without; a power of two. */
  static final int TIMES = 1 << 10;

  /** The writer announces how far it writes for so much at once. */
  private static final int ANNOUNCED_PART = 32;

  // Numbers that other threads read, in cache lines where nobody else writes or reads.
  private static final int TAIL = 8;
  private static final int LAST_STEP = 9;
  private static final int INTENT = 10;
  private static final int FIRST_STEP = 11;
  private static final int VALUES_FROM = 12;
  private static final int START_TIME = 13;
  private static final int NUMBERS = 24;

  /** A step that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  private final int capacity;
  private final int stepBytesMax;
  private final int sectionShift;
  private final ByteBuffer bytes;
  private final UnsafeBuffer data;
  private final AtomicLongArray numbers = new AtomicLongArray(NUMBERS);

  /** The position of the first frame that began in each section, the last time one did. */
  private final AtomicLongArray sections = new AtomicLongArray(SECTIONS);

  /** The log times of the last steps. */
  private final AtomicLongArray times = new AtomicLongArray(TIMES);

  /**
   * @param capacity bytes, a power of two
   */
  RingMemory(int capacity) {
    if (capacity < BYTES_MIN || capacity > BYTES_MAX || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "a ring of %,d bytes; it needs a power of two from %,d to %,d"
              .formatted(capacity, BYTES_MIN, BYTES_MAX));
    }
    this.capacity = capacity;
    stepBytesMax = capacity / STEPS;
    sectionShift = Integer.numberOfTrailingZeros(capacity / SECTIONS);
    bytes = ByteBuffer.allocateDirect(capacity);
    data = new UnsafeBuffer(bytes);
    numbers.setRelease(FIRST_STEP, NEVER);
    numbers.setRelease(VALUES_FROM, NEVER);
  }

  /** Frees the frames; nobody may write or read any any more. A second call has no effect. */
  void free() {
    BufferUtil.free(bytes);
  }

  UnsafeBuffer data() {
    return data;
  }

  /** Most bytes of a frame. */
  int stepBytesMax() {
    return stepBytesMax;
  }

  /** Where in the memory the frame at a position is. */
  int offset(long position) {
    return (int) (position & (capacity - 1));
  }

  /** The position of the frame after one of that length. A frame is never in two pieces. */
  long after(long position, int length) {
    long next = position + length;
    return offset(next) > capacity - stepBytesMax ? (next | (capacity - 1)) + 1 : next;
  }

  // The writer.

  /**
   * Announces that a frame will be written from a position on, so that nobody trusts what it
   * overwrites. Writes afterwards are seen only by those who then see this, too.
   *
   * @return how far it may write without the next announcement, at least one frame
   */
  long announce(long position) {
    long intent = position + stepBytesMax + capacity / ANNOUNCED_PART;
    numbers.setRelease(INTENT, intent);
    // A release store alone would let what is written later be seen earlier.
    VarHandle.releaseFence();
    return intent;
  }

  /** In which section a frame begins. */
  int section(int offset) {
    return offset >>> sectionShift;
  }

  /** The frame that will be published next is the first that begins in a section. */
  void beginSection(int section, long position) {
    sections.setRelease(section, position);
  }

  /** The frames in front of a position are whole. */
  void publish(long next) {
    numbers.setRelease(TAIL, next);
  }

  /** A step has ended; its frame, if any, was published. */
  void endStep(long sequence, long logTimeMs) {
    times.setRelease(timeSlot(sequence), logTimeMs);
    numbers.setRelease(LAST_STEP, sequence);
  }

  private static int timeSlot(long sequence) {
    return (int) sequence & (TIMES - 1);
  }

  /** Writing begins after a step. */
  void start(long sequence, long logTimeMs) {
    endStep(sequence, logTimeMs);
    numbers.setRelease(START_TIME, logTimeMs);
    numbers.setRelease(FIRST_STEP, sequence + 1);
  }

  /** From a step on, frames have values; {@link #NEVER}: they do not. */
  void valuesFrom(long sequence) {
    numbers.setRelease(VALUES_FROM, sequence);
  }

  // Readers.

  long tail() {
    return numbers.getAcquire(TAIL);
  }

  /** The last step that has ended; its frame and all before it are in front of the tail. */
  long lastStep() {
    return numbers.getAcquire(LAST_STEP);
  }

  /**
   * The log time of the step after which writing began, or of one of the last steps that have
   * ended; 0 if it is not known.
   */
  long logTimeMs(long sequence) {
    long first = firstStep(false);
    if (sequence == first - 1) {
      return numbers.getAcquire(START_TIME);
    }
    long timeMs = times.getAcquire(timeSlot(sequence));
    // After the time: the next step in its slot may be written when only the one before has ended.
    long last = lastStep();
    return sequence >= first && sequence <= last && last - sequence < TIMES - 1 ? timeMs : 0;
  }

  /** The first step that was written; {@link #NEVER}: writing has not begun. */
  long firstStep(boolean withValues) {
    long first = numbers.getAcquire(FIRST_STEP);
    return withValues ? Math.max(first, numbers.getAcquire(VALUES_FROM)) : first;
  }

  /** Whether what was read before this call from a position on was not overwritten. */
  boolean isThere(long position) {
    // What was read is read before the announcement of what may have overwritten it.
    VarHandle.acquireFence();
    return numbers.getAcquire(INTENT) - position <= capacity;
  }

  int sections() {
    return SECTIONS;
  }

  /** Where the first frame of a section begins; 0 if there was none. May be overwritten. */
  long beginOfSection(int section) {
    return sections.getAcquire(section);
  }
}
