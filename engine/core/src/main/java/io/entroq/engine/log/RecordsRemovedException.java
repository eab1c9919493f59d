package io.entroq.engine.log;

/**
 * Records were removed, as a running engine does that needs them no more, while somebody read those
 * before them. Nothing is wrong with the log: reading it anew begins with the first that is left.
 */
public final class RecordsRemovedException extends LogException {
  private static final long serialVersionUID = 1L;

  public RecordsRemovedException(String message) {
    super(Severity.ERROR, message);
  }
}
