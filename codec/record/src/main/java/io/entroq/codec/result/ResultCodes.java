package io.entroq.codec.result;

/** Numbers of {@code ResultCode}; the schema says what each means. */
public final class ResultCodes {
  /** Done. */
  public static final int OK = 1;

  /** A claim that does not wait found nothing. */
  public static final int EMPTY = 2;

  /** A waiting claim reached its deadline. */
  public static final int TIMED_OUT = 3;

  /** A waiting claim was cancelled, or its callers are gone. */
  public static final int CANCELLED = 4;

  /** A Modify failed its checks, or somebody holds a doc that is claimed; nothing changed. */
  public static final int DEPENDENCY = 5;

  /** The retry of a claim whose tasks or docs have moved on since. */
  public static final int CLAIM_LOST = 6;

  /** The number is not 1 and the client is not known. */
  public static final int OUTCOME_UNKNOWN = 7;

  /** The number was used before with other bytes. */
  public static final int IDENTITY_REUSED = 8;

  /** The number is below what the client had acknowledged. */
  public static final int IDENTITY_STALE = 9;

  /** More requests open than a client may have. */
  public static final int IDENTITY_WINDOW = 10;

  /** The same task, the same doc, or the same inserted id stands twice in one Modify. */
  public static final int DUPLICATE_ITEM = 11;

  /** Two different texts with one key. */
  public static final int KEY_COLLISION = 12;

  /** A task or doc whose version cannot go up any more. */
  public static final int VERSION_EXHAUSTED = 13;

  /** A behaviour level that is not supported or not above the present one. */
  public static final int LEVEL_REFUSED = 14;

  /** The command cannot be read. */
  public static final int MALFORMED = 15;

  /** A Modify would put more tasks into a queue than it may have. */
  public static final int QUEUE_FULL = 16;

  /** A Modify would leave more tasks of its own in a queue than it may have. */
  public static final int NEVER_FITS = 17;

  /** Docs, of a log whose behaviour level does not have them yet. */
  public static final int NO_DOCS = 18;

  /** The highest number of a code. */
  public static final int MAX = NO_DOCS;

  private ResultCodes() {}

  /** Whether a code says that a queue may not have so many tasks. */
  public static boolean isOfQueueLimit(int code) {
    return code == QUEUE_FULL || code == NEVER_FITS;
  }
}
