package io.entroq.engine.request;

/** The log time at which state is read. Whoever owns the state. */
@FunctionalInterface
public interface ReadTime {
  /**
   * The present log time in milliseconds; where the reader may write the log, everything that is
   * due by then has happened.
   */
  long nowMs();
}
