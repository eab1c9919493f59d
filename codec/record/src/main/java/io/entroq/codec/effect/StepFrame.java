package io.entroq.codec.effect;

import io.entroq.codec.message.MalformedMessageException;
import org.agrona.DirectBuffer;

/** Reads the frame of a step: {@link #wrap}, then {@link #effect} after each {@link #next}. */
public final class StepFrame {
  private final EffectReader effect = new EffectReader(this);
  private DirectBuffer buffer;
  private int start;
  private int end;
  private int at;
  private int left;

  /**
   * Reads a header, before the first effect.
   *
   * @param available how many bytes the buffer has from the offset on
   * @throws MalformedMessageException if there is no whole frame; it cannot be read then
   */
  public StepFrame wrap(DirectBuffer source, int offset, int available) {
    if (buffer != source) {
      buffer = source;
    }
    start = offset;
    at = offset;
    end = offset;
    require(available >= EffectLayout.HEADER_BYTES, "length", available);
    int length = buffer.getInt(start + EffectLayout.FRAME_LENGTH);
    require(isLength(length, EffectLayout.HEADER_BYTES, available), "length", length);
    int spare = length - EffectLayout.HEADER_BYTES;
    require(byTextLength() >= 0 && byTextLength() <= spare, "by_text", byTextLength());
    require(effects() >= 0, "effects", effects());
    end = start + length;
    left = effects();
    at = byTextOffset() + EffectLayout.aligned(byTextLength());
    return this;
  }

  /** Bytes of the frame that begins there; of whole frames, which nobody writes meanwhile. */
  public static int lengthAt(DirectBuffer buffer, int offset) {
    return buffer.getInt(offset + EffectLayout.FRAME_LENGTH);
  }

  /** The sequence of the frame that begins there. */
  public static long sequenceAt(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset + EffectLayout.SEQUENCE);
  }

  /** The log time of the frame that begins there, in milliseconds since the epoch. */
  public static long logTimeMsAt(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset + EffectLayout.LOG_TIME);
  }

  private static boolean isLength(int length, int least, int most) {
    return length >= least && length <= most && length % Long.BYTES == 0;
  }

  private void require(boolean holds, String field, int found) {
    if (!holds) {
      left = 0;
      at = end;
      throw new MalformedMessageException("StepFrame." + field, at - start, "is " + found);
    }
  }

  /**
   * Goes to the next effect; false after the last.
   *
   * @throws MalformedMessageException if it cannot be read; no other follows then
   */
  public boolean next() {
    if (left == 0) {
      require(at == end, "rest", end - at);
      return false;
    }
    int rest = end - at;
    require(rest >= EffectLayout.FIXED_BYTES, "rest", rest);
    int length = buffer.getInt(at + EffectLayout.EFFECT_LENGTH);
    require(isLength(length, EffectLayout.FIXED_BYTES, rest), "effect", length);
    require(effect.wrap(buffer, at, length), "parts", length);
    at += length;
    left--;
    return true;
  }

  /** The effect to which {@link #next} went. */
  public EffectReader effect() {
    return effect;
  }

  /** Where the frame begins in its buffer. */
  public int offset() {
    return start;
  }

  /** Bytes of the frame. */
  public int length() {
    return end - start;
  }

  /** How many effects the frame has. */
  public int effects() {
    return buffer.getInt(start + EffectLayout.EFFECTS);
  }

  public long sequence() {
    return buffer.getLong(start + EffectLayout.SEQUENCE);
  }

  public long logTimeMs() {
    return buffer.getLong(start + EffectLayout.LOG_TIME);
  }

  /** Upper half of the claimant that asked for the step; both halves are 0 if nobody did. */
  public long byHigh() {
    return buffer.getLong(start + EffectLayout.BY_HIGH);
  }

  public long byLow() {
    return buffer.getLong(start + EffectLayout.BY_LOW);
  }

  /** The buffer of the text of that claimant, and of all parts. */
  public DirectBuffer buffer() {
    return buffer;
  }

  public int byTextOffset() {
    return start + EffectLayout.HEADER_BYTES;
  }

  /** 0 if the key determines the claimant. */
  public int byTextLength() {
    return buffer.getInt(start + EffectLayout.BY_TEXT_LENGTH);
  }
}
