package io.entroq.codec.record;

/** Types of records. The numbers are part of the record format and never change. */
public final class RecordType {
  /** The first record of a log. */
  public static final int GENESIS = 1;

  public static final int CLAIM = 2;
  public static final int MODIFY = 3;
  public static final int CANCEL = 4;

  /** Time has passed; the record's log time is the new time. */
  public static final int TICK = 5;

  public static final int CALLERS_GONE = 6;
  public static final int ACKNOWLEDGE = 7;
  public static final int RAISE_LEVEL = 8;

  /** The first record after a removed torn tail. */
  public static final int CUT = 9;

  public static final int CLAIM_DOCS = 10;

  private static final String[] NAMES = {
    null,
    "GENESIS",
    "CLAIM",
    "MODIFY",
    "CANCEL",
    "TICK",
    "CALLERS_GONE",
    "ACKNOWLEDGE",
    "RAISE_LEVEL",
    "CUT",
    "CLAIM_DOCS"
  };

  private RecordType() {}

  public static boolean isKnown(int type) {
    return type >= GENESIS && type <= CLAIM_DOCS;
  }

  /** The type's name, or {@code TYPE_<n>} for one that this build does not know. */
  public static String name(int type) {
    return isKnown(type) ? NAMES[type] : "TYPE_" + type;
  }
}
