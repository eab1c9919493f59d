package io.entroq.codec.effect;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Writes the effects of a step into a frame: {@link #wrap}, {@link #begin}, then for each effect
 * {@link #effect}, its fields and its parts, and {@link #end}. Fields that are not set are 0. A
 * frame that does not fit has the length 0; what lies behind its bound stays as it is.
 *
 * <p>Checks bounds once for each effect and part and then writes without a check: this is the
 * thread that applies records.
 */
public final class EffectWriter {
  /** A frame needs at least as many bytes. */
  public static final int BYTES_MIN = EffectLayout.HEADER_BYTES + EffectLayout.FIXED_BYTES;

  /** Shorter parts are copied here: the call that copies memory takes longer. */
  private static final int SHORT_BYTES = 64;

  /** Keeps the memory from being freed. */
  private MutableDirectBuffer memory;

  private int capacity;

  // Addresses, not offsets: then a field costs one instruction, an addition of constants included.
  private long base;
  private long frame;
  private long bound;
  private long effect;
  private long next;
  private int effects;
  private int parts;
  private boolean fits;

  /**
   * Sets where the next frame goes, in memory outside of the heap. Of a buffer that it knows it
   * does not ask again where that memory is: the buffer must not be wrapped around other memory.
   *
   * @param available how many bytes it may have, from {@link #BYTES_MIN} on
   */
  public EffectWriter wrap(MutableDirectBuffer buffer, int offset, int available) {
    if (memory != buffer) {
      use(buffer);
    }
    if (available < BYTES_MIN || offset < 0 || available > capacity - offset) {
      throw new IllegalArgumentException(
          "%d bytes for a frame at %d of %d".formatted(available, offset, capacity));
    }
    frame = base + offset;
    // Then there is always space to fill an effect up.
    bound = frame + (available & ~7);
    return this;
  }

  private void use(MutableDirectBuffer buffer) {
    if (buffer.byteArray() != null) {
      throw new IllegalArgumentException("memory for frames is outside of the heap");
    }
    memory = buffer;
    base = buffer.addressOffset();
    capacity = buffer.capacity();
  }

  /**
   * Begins a step.
   *
   * @param byHigh upper half of the claimant that asked for it; both halves are 0 if nobody did
   * @param byTextLength 0 if the key determines that claimant
   */
  public EffectWriter begin(
      long sequence,
      long logTimeMs,
      long byHigh,
      long byLow,
      DirectBuffer byText,
      int byTextOffset,
      int byTextLength) {
    if (memory == null) {
      throw new IllegalStateException("there is no memory for a frame");
    }
    effects = 0;
    effect = frame + EffectLayout.HEADER_BYTES;
    UnsafeApi.putLong(frame + EffectLayout.SEQUENCE, sequence);
    UnsafeApi.putLong(frame + EffectLayout.LOG_TIME, logTimeMs);
    UnsafeApi.putLong(frame + EffectLayout.BY_HIGH, byHigh);
    UnsafeApi.putLong(frame + EffectLayout.BY_LOW, byLow);
    // With what fills it up.
    UnsafeApi.putLong(frame + EffectLayout.BY_TEXT_LENGTH, 0);
    UnsafeApi.putInt(frame + EffectLayout.BY_TEXT_LENGTH, byTextLength);
    fits = byTextLength >= 0 && byTextLength <= bound - effect;
    if (fits) {
      next = effect + EffectLayout.aligned(byTextLength);
      if (byTextLength > 0) {
        UnsafeApi.putLong(next - Long.BYTES, 0);
        copy(byText, byTextOffset, byTextLength, effect);
      }
    }
    return this;
  }

  /**
   * Begins an effect.
   *
   * @param index its place among the effects of the step, from 0
   * @param kind one of {@link EffectKinds}
   * @param flags of {@link EffectFlags}
   */
  public EffectWriter effect(int index, int kind, int flags) {
    endEffect();
    effects++;
    fits &= EffectLayout.FIXED_BYTES <= bound - next;
    // A frame that does not fit is void: its fields may overwrite each other.
    effect = fits ? next : frame + EffectLayout.HEADER_BYTES;
    next = effect + EffectLayout.FIXED_BYTES;
    parts = 0;
    for (int field = 0; field < EffectLayout.FIXED_BYTES; field += Long.BYTES) {
      UnsafeApi.putLong(effect + field, 0);
    }
    UnsafeApi.putInt(effect + EffectLayout.INDEX, index);
    UnsafeApi.putByte(effect + EffectLayout.KIND, (byte) kind);
    UnsafeApi.putByte(effect + EffectLayout.FLAGS, (byte) flags);
    return this;
  }

  private void endEffect() {
    if (fits && effects > 0) {
      // Parts end at multiples of 4.
      if (((next - frame) & Integer.BYTES) != 0) {
        UnsafeApi.putInt(next, 0);
        next += Integer.BYTES;
      }
      UnsafeApi.putInt(effect + EffectLayout.EFFECT_LENGTH, (int) (next - effect));
      UnsafeApi.putInt(effect + EffectLayout.PARTS, parts);
    }
  }

  /**
   * Ends the step.
   *
   * @return the bytes of the frame; 0 if it does not fit
   */
  public int end() {
    endEffect();
    int length = fits ? (int) (next - frame) : 0;
    UnsafeApi.putInt(frame + EffectLayout.FRAME_LENGTH, length);
    UnsafeApi.putInt(frame + EffectLayout.EFFECTS, effects);
    return length;
  }

  /** How many effects there are in the frame so far. */
  public int effects() {
    return effects;
  }

  /** Unchecked: the caller has checked that the bytes are in front of the bound. */
  private static void copy(DirectBuffer source, int offset, int length, long to) {
    source.boundsCheck(offset, length);
    byte[] array = source.byteArray();
    long from = source.addressOffset() + offset;
    if (length > SHORT_BYTES) {
      UnsafeApi.copyMemory(array, from, null, to, length);
      return;
    }
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      UnsafeApi.putLong(to + i, UnsafeApi.getLong(array, from + i));
    }
    // A loop over bytes would be unrolled to more code than all fields of an effect.
    if ((length & Integer.BYTES) != 0) {
      UnsafeApi.putInt(to + i, UnsafeApi.getInt(array, from + i));
      i += Integer.BYTES;
    }
    if ((length & Short.BYTES) != 0) {
      UnsafeApi.putShort(to + i, UnsafeApi.getShort(array, from + i));
      i += Short.BYTES;
    }
    if ((length & Byte.BYTES) != 0) {
      UnsafeApi.putByte(to + i, UnsafeApi.getByte(array, from + i));
    }
  }

  // The fields of an effect.

  private EffectWriter put(int field, int value) {
    UnsafeApi.putInt(effect + field, value);
    return this;
  }

  private EffectWriter put(int field, long value) {
    UnsafeApi.putLong(effect + field, value);
    return this;
  }

  public EffectWriter version(int version) {
    return put(EffectLayout.VERSION, version);
  }

  /** The claims of a task, or the docs of a set. */
  public EffectWriter count(int count) {
    return put(EffectLayout.COUNT, count);
  }

  public EffectWriter attempt(int attempt) {
    return put(EffectLayout.ATTEMPT, attempt);
  }

  public EffectWriter id(long high, long low) {
    put(EffectLayout.ID_HIGH, high);
    return put(EffectLayout.ID_LOW, low);
  }

  /** Tells successive tasks with the same id apart. */
  public EffectWriter insertSequence(long sequence) {
    return put(EffectLayout.INSERT_SEQUENCE, sequence);
  }

  /** When a task or a set becomes available, or until when a policy or a breaker pauses. */
  public EffectWriter dueMs(long timeMs) {
    return put(EffectLayout.DUE, timeMs);
  }

  public EffectWriter createdMs(long timeMs) {
    return put(EffectLayout.CREATED, timeMs);
  }

  public EffectWriter modifiedMs(long timeMs) {
    return put(EffectLayout.MODIFIED, timeMs);
  }

  public EffectWriter claimant(long high, long low) {
    put(EffectLayout.CLAIMANT_HIGH, high);
    return put(EffectLayout.CLAIMANT_LOW, low);
  }

  /** The kind of a value, also if the value is left out. */
  public EffectWriter valueKind(int kind) {
    UnsafeApi.putByte(effect + EffectLayout.VALUE_KIND, (byte) kind);
    return this;
  }

  // What few tasks have.

  public EffectWriter lapses(int lapses) {
    return put(EffectLayout.LAPSES, lapses);
  }

  /** When a task expires; 0 not, -1 never. */
  public EffectWriter expiresMs(long timeMs) {
    return put(EffectLayout.EXPIRES, timeMs);
  }

  /** Why and when the server has moved a task. */
  public EffectWriter died(int reason, long timeMs) {
    UnsafeApi.putByte(effect + EffectLayout.REASON, (byte) reason);
    return put(EffectLayout.DEAD_AT, timeMs);
  }

  /**
   * Appends a part; an empty one is left out, unless it is the value.
   *
   * @param part one of {@link EffectParts}, after those that were appended
   */
  public EffectWriter part(int part, DirectBuffer source, int offset, int length) {
    if (length < 0 || parts >>> part != 0) {
      throw new IllegalStateException(
          "part %d of %d bytes, after parts %x".formatted(part, length, parts));
    }
    if (length == 0 && part != EffectParts.VALUE) {
      return this;
    }
    // Compared so that no sum is too large for an int.
    fits &= length <= bound - next - Integer.BYTES;
    if (fits) {
      long end = next + EffectLayout.partBytes(length);
      UnsafeApi.putInt(end - Integer.BYTES, 0);
      UnsafeApi.putInt(next, length);
      copy(source, offset, length, next + Integer.BYTES);
      next = end;
      parts |= 1 << part;
    }
    return this;
  }
}
