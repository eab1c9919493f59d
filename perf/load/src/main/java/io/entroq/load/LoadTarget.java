package io.entroq.load;

// Closing may wait, and be interrupted.
@SuppressWarnings("try")
public interface LoadTarget extends AutoCloseable {
  /**
   * Opens a session on the caller's thread, which also closes it.
   *
   * @param caller from 0
   */
  LoadSession open(int caller) throws Exception;

  /** Removes the queue, if necessary. */
  @Override
  default void close() throws Exception {}
}
