package io.entroq.codec.snapshot;

/** Kinds of items in a chunk. The numbers are part of the snapshot format and never change. */
public final class ChunkKinds {
  /** Everything that exists once; the first chunk. */
  public static final int HEAD = 1;

  public static final int TASKS = 2;
  public static final int QUEUES = 3;

  /** Texts of claimants. */
  public static final int CLAIMANTS = 4;

  /** Parked claims. */
  public static final int WAITERS = 5;

  /** Pairs of a parked claim and a queue that it waits on. */
  public static final int MEMBERSHIPS = 6;

  public static final int CLIENTS = 7;
  public static final int RECEIPTS = 8;

  public static final int DOCS = 9;

  /** Number of items of each kind; the last chunk. */
  public static final int END = 10;

  /** Locks of docs that share a key. */
  public static final int DOC_SETS = 11;

  /** Policies and limiters. */
  public static final int POLICIES = 12;

  /** Ids of tasks that are gone and stay taken. */
  public static final int REMEMBERED_IDS = 13;

  /** What queues with a policy or a pause have besides. */
  public static final int QUEUE_RULES = 14;

  /** Contents that several tasks share. */
  public static final int SHARED_CONTENTS = 15;

  /** Pools, and the queues below them. */
  public static final int POOL_NODES = 16;

  /** The highest kind. */
  public static final int MAX = POOL_NODES;

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
    "END",
    "DOC_SETS",
    "POLICIES",
    "REMEMBERED_IDS",
    "QUEUE_RULES",
    "SHARED_CONTENTS",
    "POOL_NODES"
  };

  private ChunkKinds() {}

  public static String name(int kind) {
    return kind >= HEAD && kind <= MAX ? NAMES[kind] : "kind " + kind;
  }
}
