package io.entroq.codec.effect;

/**
 * Where the fields of a frame are, in the byte order of the machine. A frame is a header with the
 * text of the requester, then the effects. An effect is fixed fields, then the parts that it has,
 * each with its length before it. Frames and effects begin at multiples of 8 bytes, counted from
 * the frame, and parts at multiples of 4; bytes between are 0.
 */
final class EffectLayout {
  // The header of a frame.
  static final int FRAME_LENGTH = 0;
  static final int EFFECTS = 4;
  static final int SEQUENCE = 8;
  static final int LOG_TIME = 16;
  static final int BY_HIGH = 24;
  static final int BY_LOW = 32;
  static final int BY_TEXT_LENGTH = 40;
  static final int HEADER_BYTES = 48;

  // The fixed fields of an effect.
  static final int EFFECT_LENGTH = 0;
  static final int INDEX = 4;
  static final int KIND = 8;
  static final int FLAGS = 9;
  static final int VALUE_KIND = 10;
  static final int REASON = 11;
  static final int PARTS = 12;
  static final int VERSION = 16;
  static final int COUNT = 20;
  static final int ATTEMPT = 24;
  static final int LAPSES = 28;
  static final int ID_HIGH = 32;
  static final int ID_LOW = 40;
  static final int INSERT_SEQUENCE = 48;
  static final int DUE = 56;
  static final int CREATED = 64;
  static final int MODIFIED = 72;
  static final int CLAIMANT_HIGH = 80;
  static final int CLAIMANT_LOW = 88;
  static final int EXPIRES = 96;
  static final int DEAD_AT = 104;
  static final int FIXED_BYTES = 112;

  private EffectLayout() {}

  /** The next multiple of 8. */
  static int aligned(int bytes) {
    return (bytes + 7) & ~7;
  }

  /** The bytes of a part with its length. */
  static int partBytes(int length) {
    return Integer.BYTES + ((length + 3) & ~3);
  }
}
