package io.entroq.engine.log;

/**
 * A running engine removed records that a reader was about to read. The log is intact: restart from
 * the first record that is left.
 */
public final class RecordsRemovedException extends LogException {
  private static final long serialVersionUID = 1L;

  public RecordsRemovedException(String message) {
    super(Severity.ERROR, message);
  }
}
