package io.entroq.engine.effect;

/** Kinds of effects. The numbers never change; 13 to 15 are for later effects on tasks. */
public final class EffectKinds {
  public static final int INSERTED = 1;
  public static final int CLAIMED = 2;

  /** Its lease alone has changed. */
  public static final int RENEWED = 3;

  public static final int CHANGED = 4;

  /** Changed and now in another queue. */
  public static final int MOVED = 5;

  /** Shown as it was last. */
  public static final int DELETED = 6;

  /** Returned, because the caller that claimed it is gone or has cancelled. */
  public static final int GIVEN_BACK = 7;

  /** Work on it has failed; it stays in its queue, or {@link #DIED} follows. */
  public static final int FAILED = 8;

  /** Moved by the server, to a dead queue or one for expired tasks. */
  public static final int DIED = 9;

  /** Deleted because it expired; shown as it was last. */
  public static final int EXPIRED = 10;

  /** Its lease ended without a word about the work. */
  public static final int LAPSED = 11;

  /** Deleted to make room in its queue; shown as it was last. */
  public static final int DROPPED = 12;

  public static final int DOC_INSERTED = 16;
  public static final int DOC_CHANGED = 17;

  /** Shown as it was last. */
  public static final int DOC_DELETED = 18;

  /** Written, leased or claimed; follows the effects on its docs. */
  public static final int SET_WRITTEN = 19;

  /** Removed, because too many sets had no docs. */
  public static final int SET_FORGOTTEN = 20;

  /** Its rules or its pause were written. */
  public static final int POLICY_WRITTEN = 24;

  /** Removed, with its pause; also when the pause of one without rules has ended. */
  public static final int POLICY_DELETED = 25;

  private EffectKinds() {}
}
