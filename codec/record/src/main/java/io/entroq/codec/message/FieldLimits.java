package io.entroq.codec.message;

/** Limits of texts. Limits of single fields are constants of their decoders. */
public final class FieldLimits {
  /** Longest queue name, id or other name, in bytes of UTF-8. */
  public static final int TEXT_BYTES_MAX = 1024;

  /** For a text that is limited only by the size of its message. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  private FieldLimits() {}
}
