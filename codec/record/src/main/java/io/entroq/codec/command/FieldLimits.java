package io.entroq.codec.command;

/** Ranges that the schema states; every reader of a log holds messages to them. */
public final class FieldLimits {
  /** Longest queue name, id or other name, in bytes of UTF-8. */
  public static final int TEXT_BYTES_MAX = 1024;

  /** Most tasks that one claim may ask for. */
  public static final int CLAIM_LIMIT_MAX = 1000;

  /** Most queues that one claim may name, repetitions included. */
  public static final int CLAIM_QUEUES_MAX = 1000;

  /** Where only the size of the message bounds a text. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  private FieldLimits() {}
}
