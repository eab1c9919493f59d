package io.entroq.perf.peers.peer;

import java.util.List;

/** What one caller does with a queue. For one thread. */
// Ending may wait for others, and be interrupted.
@SuppressWarnings("try")
public interface Session extends AutoCloseable {
  /** Inserts tasks; returns when all are acknowledged. */
  void insert(List<byte[]> values) throws Exception;

  /**
   * Claims tasks that are available, competing with all other sessions. Waits for the first one for
   * a fraction of a second.
   *
   * @param limit how many at most
   * @return their values; perhaps none
   */
  List<byte[]> claim(int limit) throws Exception;

  /** Commits, and so removes, the tasks of the last claim. Not called after a claim of none. */
  void commit() throws Exception;

  @Override
  void close() throws Exception;
}
