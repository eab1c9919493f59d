package io.entroq.load;

/** A queue to put load on. */
// Closing may wait for others, and be interrupted.
@SuppressWarnings("try")
public interface LoadTarget extends AutoCloseable {
  /**
   * Opens what one caller needs. Called on the thread of that caller, which also closes it.
   *
   * @param caller from 0
   */
  LoadSession open(int caller) throws Exception;

  /** Removes the queue, if that is of use. */
  @Override
  default void close() throws Exception {}
}
