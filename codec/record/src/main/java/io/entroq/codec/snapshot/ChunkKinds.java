package io.entroq.codec.snapshot;

/** What the items of a chunk are: numbers that stand in every snapshot, for ever. */
public final class ChunkKinds {
  /** Everything of which there is one; the first chunk. */
  public static final int HEAD = 1;

  public static final int TASKS = 2;
  public static final int QUEUES = 3;

  /** Texts of claimants. */
  public static final int CLAIMANTS = 4;

  /** Parked claims. */
  public static final int WAITERS = 5;

  /** Which parked claim waits on which queue. */
  public static final int MEMBERSHIPS = 6;

  public static final int CLIENTS = 7;
  public static final int RECEIPTS = 8;

  /** Reserved. */
  public static final int DOCS = 9;

  /** How many there were of each; the last chunk. */
  public static final int END = 10;

  private static final String[] NAMES = {
    null,
    "HEAD",
    "TASKS",
    "QUEUES",
    "CLAIMANTS",
    "WAITERS",
    "MEMBERSHIPS",
    "CLIENTS",
    "RECEIPTS",
    "DOCS",
    "END"
  };

  private ChunkKinds() {}

  /** The name of a kind, for people. */
  public static String name(int kind) {
    return kind >= HEAD && kind <= END ? NAMES[kind] : "kind " + kind;
  }
}
