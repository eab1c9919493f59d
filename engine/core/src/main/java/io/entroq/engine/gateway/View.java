package io.entroq.engine.gateway;

/** The state of an engine as of a point, for one user. Any thread. */
public interface View extends AutoCloseable {
  /** The last step that it shows; from 1. */
  long sequence();

  /**
   * The log time as of which it is shown, in milliseconds since the epoch: the time that was asked
   * for, or that of the step. It stands still.
   */
  long timeMs();

  /** Reads the state. Writes are refused, and no claim is ever assigned anything. */
  Gateway gateway();

  /** The user reads no more; a second call has no effect. */
  @Override
  void close();
}
