package io.entroq.load;

import java.util.List;

/** What one caller does with a queue, in cycles of insert, claim and commit. For one thread. */
// Closing may wait for others, and be interrupted.
@SuppressWarnings("try")
public interface LoadSession extends AutoCloseable {
  /** Prepares the next {@link #insert}. Its cost is not measured. */
  default void prepareInsert(List<byte[]> values) {}

  /** Inserts tasks; returns when all are acknowledged. */
  void insert(List<byte[]> values) throws Exception;

  /**
   * Claims available tasks, in competition with all other sessions.
   *
   * @return their values, {@code limit} at most; empty if there are none, perhaps after a short
   *     wait
   */
  List<byte[]> claim(int limit) throws Exception;

  /** Prepares the next {@link #commit}. Its cost counts for the cycle, but not for the commit. */
  default void prepareCommit() {}

  /** Commits, and so removes, the tasks of the last claim. Not called after a claim of none. */
  void commit() throws Exception;

  @Override
  default void close() throws Exception {}
}
