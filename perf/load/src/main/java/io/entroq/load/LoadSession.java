package io.entroq.load;

import java.util.List;

/** A caller's access to a queue, in cycles of insert, claim and commit. For one thread. */
// Closing may wait, and be interrupted.
@SuppressWarnings("try")
public interface LoadSession extends AutoCloseable {
  /** Prepares the next {@link #insert}; not measured. */
  default void prepareInsert(List<byte[]> values) {}

  /** Returns when all tasks are acknowledged. */
  void insert(List<byte[]> values) throws Exception;

  /**
   * Claims available tasks, in competition with other sessions.
   *
   * @return at most {@code limit} values; empty if there are none, perhaps after a short wait
   */
  List<byte[]> claim(int limit) throws Exception;

  /** Prepares the next {@link #commit}; measured in the cycle, but not in the commit. */
  default void prepareCommit() {}

  /** Commits and thereby removes the tasks of the last claim. Not called after an empty claim. */
  void commit() throws Exception;

  @Override
  default void close() throws Exception {}
}
