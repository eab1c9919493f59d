package io.entroq.codec.wire;

/**
 * Limits of sizes and counts, checked when a request is received and before it is logged. Errors
 * name the limit and the actual size.
 */
public final class Limits {
  /** Longest id, claimant, queue name, namespace or key, in bytes of UTF-8. */
  public static final int TEXT_BYTES_MAX = 1024;

  /** Largest value of a task, in bytes as stored, unless configured otherwise. */
  public static final int VALUE_BYTES_MAX_DEFAULT = 1024 * 1024;

  /** Deepest nesting of lists and objects in a JSON value. */
  public static final int VALUE_DEPTH_MAX = 100;

  /** Most distinct queues of a claim. */
  public static final int QUEUES_PER_CLAIM_MAX = 1000;

  /** Most tasks of a claim. */
  public static final int CLAIM_LIMIT_MAX = 1000;

  /** Most policies of queues and prefixes, and as many limiters. */
  public static final int POLICIES_MAX_DEFAULT = 100_000;

  /** Largest encoded command, embedded and served, unless configured otherwise. */
  public static final int COMMAND_BYTES_MAX_DEFAULT = 8 * 1024 * 1024;

  /** Largest encoded command in a cluster: an eighth of a 16 MiB term. */
  public static final int CLUSTER_COMMAND_BYTES_MAX = 2 * 1024 * 1024;

  private Limits() {}
}
