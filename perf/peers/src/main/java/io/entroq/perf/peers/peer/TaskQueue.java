package io.entroq.perf.peers.peer;

/** One queue of a peer. */
// Ending may wait for others, and be interrupted.
@SuppressWarnings("try")
public interface TaskQueue extends AutoCloseable {
  /** Opens what one caller needs. On the thread of that caller, which also closes it. */
  Session open() throws Exception;

  /** Removes the queue, if that is of use. */
  @Override
  default void close() throws Exception {}
}
