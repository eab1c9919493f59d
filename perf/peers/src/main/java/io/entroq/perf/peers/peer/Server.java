package io.entroq.perf.peers.peer;

import io.entroq.load.LoadTarget;
import java.util.List;

/** A peer that has been started. For one thread. */
// Ending may wait for others, and be interrupted.
@SuppressWarnings("try")
public interface Server extends AutoCloseable {
  String version();

  /** Creates an empty queue. */
  LoadTarget createQueue(String name, Shape shape) throws Exception;

  /**
   * Creates an empty topic whose members receive up to {@link Shape#BATCH_100} at once. Peers
   * without topics throw.
   */
  default Topic createTopic(String name, List<String> groups) throws Exception {
    throw new UnsupportedOperationException("this peer has no topics");
  }

  /**
   * Whether it can {@link #pause} between its turns. Otherwise it is closed after each turn and
   * started again; compiled code stays.
   */
  default boolean canPause() {
    return false;
  }

  /** Keeps it from using the processors until {@link #resume}. All queues are closed. */
  default void pause() throws Exception {}

  default void resume() throws Exception {}

  /** Ends it, even while it is paused. */
  @Override
  void close() throws Exception;
}
