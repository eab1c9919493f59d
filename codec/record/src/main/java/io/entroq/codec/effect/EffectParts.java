package io.entroq.codec.effect;

/** The parts of an effect that vary in length, in the order in which they are written. */
public final class EffectParts {
  /** The queue of a task, or the one whose breaker opened. */
  public static final int QUEUE = 0;

  /** The queue from which a task moved. */
  public static final int FORMER_QUEUE = 1;

  /** Empty if the key determines the id. */
  public static final int ID_TEXT = 2;

  /** Empty if the key determines the claimant. */
  public static final int CLAIMANT_TEXT = 3;

  public static final int ERR = 4;

  /** Context for traces. */
  public static final int TRACE = 5;

  /** The queue from which the server moved a task last, now or earlier. */
  public static final int ORIGIN = 6;

  public static final int NAMESPACE = 7;
  public static final int KEY = 8;
  public static final int SECONDARY_KEY = 9;

  /** An encoded Policy: its kind, its name and its rules. */
  public static final int POLICY = 10;

  /** May be there and empty. It is absent if nobody wants values. */
  public static final int VALUE = 11;

  static final int COUNT = VALUE + 1;

  private EffectParts() {}
}
