package io.entroq.engine.request;

/** The log time for reads. The owner of the state. */
@FunctionalInterface
public interface ReadTime {
  /**
   * The current log time in milliseconds. Where the reader may write the log, everything due by
   * then has happened.
   */
  long nowMs();
}
