package io.entroq.engine.state;

/** Result codes and item kinds: the numbers of the result schema. */
public final class Codes {

  public static final int OK = 1;
  public static final int EMPTY = 2;
  public static final int TIMED_OUT = 3;
  public static final int CANCELLED = 4;
  public static final int DEPENDENCY = 5;
  public static final int CLAIM_LOST = 6;
  public static final int OUTCOME_UNKNOWN = 7;
  public static final int IDENTITY_REUSED = 8;
  public static final int IDENTITY_STALE = 9;
  public static final int IDENTITY_WINDOW = 10;
  public static final int DUPLICATE_ITEM = 11;
  public static final int KEY_COLLISION = 12;
  public static final int VERSION_EXHAUSTED = 13;
  public static final int LEVEL_REFUSED = 14;

  public static final int ITEM_NONE = 0;
  public static final int ITEM_INSERT = 1;
  public static final int ITEM_CHANGE = 2;
  public static final int ITEM_DELETE = 3;
  public static final int ITEM_DEPEND = 4;

  private Codes() {}
}
