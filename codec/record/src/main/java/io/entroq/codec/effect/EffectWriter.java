package io.entroq.codec.effect;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Writes the effects of a step into a frame: {@link #wrap}, {@link #begin}, then for each effect
 * {@link #effect}, its fields and its parts, and {@link #end}. Fields that are not set are 0. A
 * frame that does not fit has the length 0; what lies behind its bound stays as it is.
 */
public final class EffectWriter {
  /** A frame needs at least as many bytes. */
  public static final int BYTES_MIN = EffectLayout.HEADER_BYTES + EffectLayout.FIXED_BYTES;

  private MutableDirectBuffer target;
  private int start;
  private int bound;
  private int effect;
  private int next;
  private int effects;
  private int parts;
  private boolean fits;

  /**
   * Sets where the next frame goes.
   *
   * @param available how many bytes it may have, from {@link #BYTES_MIN} on
   */
  public EffectWriter wrap(MutableDirectBuffer buffer, int offset, int available) {
    if (available < BYTES_MIN || buffer.capacity() - offset < available) {
      throw new IllegalArgumentException(
          "%d bytes for a frame, at %d of %d".formatted(available, offset, buffer.capacity()));
    }
    if (target != buffer) {
      target = buffer;
    }
    start = offset;
    // Then there is always space to fill an effect up.
    bound = offset + (available & ~7);
    return this;
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
    effects = 0;
    effect = start + EffectLayout.HEADER_BYTES;
    target.putLong(start + EffectLayout.SEQUENCE, sequence);
    target.putLong(start + EffectLayout.LOG_TIME, logTimeMs);
    target.putLong(start + EffectLayout.BY_HIGH, byHigh);
    target.putLong(start + EffectLayout.BY_LOW, byLow);
    // The upper four bytes are 0.
    target.putLong(start + EffectLayout.BY_TEXT_LENGTH, 0);
    target.putInt(start + EffectLayout.BY_TEXT_LENGTH, byTextLength);
    fits = byTextLength <= bound - effect;
    if (fits) {
      next = effect + EffectLayout.aligned(byTextLength);
      if (byTextLength > 0) {
        target.putLong(next - Long.BYTES, 0);
        target.putBytes(effect, byText, byTextOffset, byTextLength);
      }
      effect = next;
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
    effect = fits ? next : start + EffectLayout.HEADER_BYTES;
    next = effect + EffectLayout.FIXED_BYTES;
    parts = 0;
    target.setMemory(effect, EffectLayout.FIXED_BYTES, (byte) 0);
    target.putInt(effect + EffectLayout.INDEX, index);
    target.putByte(effect + EffectLayout.KIND, (byte) kind);
    target.putByte(effect + EffectLayout.FLAGS, (byte) flags);
    return this;
  }

  private void endEffect() {
    if (fits && effects > 0) {
      if ((next - start) % Long.BYTES != 0) {
        target.putInt(next, 0);
        next += Integer.BYTES;
      }
      target.putInt(effect + EffectLayout.EFFECT_LENGTH, next - effect);
      target.putInt(effect + EffectLayout.PARTS, parts);
    }
  }

  /**
   * Ends the step.
   *
   * @return the bytes of the frame; 0 if it does not fit
   */
  public int end() {
    endEffect();
    target.putInt(start + EffectLayout.FRAME_LENGTH, fits ? next - start : 0);
    target.putInt(start + EffectLayout.EFFECTS, effects);
    return fits ? next - start : 0;
  }

  /** How many effects there are in the frame so far. */
  public int effects() {
    return effects;
  }

  // The fields of an effect.

  private EffectWriter put(int field, int value) {
    target.putInt(effect + field, value);
    return this;
  }

  private EffectWriter put(int field, long value) {
    target.putLong(effect + field, value);
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
    target.putByte(effect + EffectLayout.VALUE_KIND, (byte) kind);
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
    target.putByte(effect + EffectLayout.REASON, (byte) reason);
    return put(EffectLayout.DEAD_AT, timeMs);
  }

  /**
   * Appends a part; an empty one is left out, unless it is the value.
   *
   * @param part one of {@link EffectParts}, after those that were appended
   */
  public EffectWriter part(int part, DirectBuffer source, int offset, int length) {
    if (parts >>> part != 0) {
      throw new IllegalStateException("part " + part + " after later ones");
    }
    if (length == 0 && part != EffectParts.VALUE) {
      return this;
    }
    // Compared so that no sum is too large for an int.
    fits &= length <= bound - next - Integer.BYTES;
    if (fits) {
      int end = next + EffectLayout.partBytes(length);
      target.putInt(end - Integer.BYTES, 0);
      target.putInt(next, length);
      target.putBytes(next + Integer.BYTES, source, offset, length);
      next = end;
      parts |= 1 << part;
    }
    return this;
  }
}
