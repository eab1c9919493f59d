package io.entroq.engine.history;

/** Watches a replay. Called on its thread after each thousand steps or so, and while it loads. */
@FunctionalInterface
public interface ReplayWatch {
  /** Lets every replay end. */
  ReplayWatch NONE = sequence -> true;

  /**
   * The replay has come this far.
   *
   * @param sequence the last step replayed; 0 while a snapshot is loaded
   * @return whether to go on; if not, the replay throws {@link HistoryException}
   */
  boolean onProgress(long sequence);
}
