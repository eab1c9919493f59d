package io.entroq.engine.runtime;

/**
 * How the memory outside the heap that the JVM allows is shared by default: what the feed takes is
 * not available for tasks. An eighth is left for other code, and for structures that grow by
 * doubling.
 *
 * @param allBytes what the JVM allows
 * @param feedBytes what the feed takes while somebody reads it
 */
public record MemoryShares(long allBytes, long feedBytes) {
  private static final int PART_LEFT = 8;
  private static final int PART_OF_REPLAYS = 4;

  /** Tasks get this part at least, although a feed may then be refused for lack of memory. */
  private static final int PART_OF_TASKS_LEAST = 4;

  /** The share of tasks of an engine that nothing else uses. */
  public long all() {
    return allBytes - allBytes / PART_LEFT;
  }

  /**
   * The share of tasks.
   *
   * @param replayBytes the share of the states of those who read history
   */
  public long tasks(long replayBytes) {
    return Math.max(allBytes / PART_OF_TASKS_LEAST, all() - feedBytes - replayBytes);
  }

  /** The share of the states of those who read history. */
  public long replays() {
    return allBytes / PART_OF_REPLAYS;
  }

  /** The same if the share of tasks was chosen: what that leaves, at most the usual share. */
  public long replaysBeside(long taskBytes) {
    return Math.max(0, Math.min(replays(), all() - feedBytes - taskBytes));
  }
}
