package io.entroq.perf.peers.peer;

import io.entroq.load.LoadTarget;

/** A peer that has been started. For one thread. */
// Ending may wait for others, and be interrupted.
@SuppressWarnings("try")
public interface Server extends AutoCloseable {
  /** Which version of the peer answers. */
  String version();

  /** Creates an empty queue. */
  LoadTarget createQueue(String name, Shape shape) throws Exception;

  /**
   * Whether it may {@link #rest} between its turns. One that does not is closed after each turn and
   * started anew; what the JVM has compiled of it stays.
   */
  default boolean canRest() {
    return false;
  }

  /** Stops it from using the processors, with all queues closed, until {@link #wake}. */
  default void rest() throws Exception {}

  /** Lets it go on. */
  default void wake() throws Exception {}

  /** Ends it, also while it rests. */
  @Override
  void close() throws Exception;
}
