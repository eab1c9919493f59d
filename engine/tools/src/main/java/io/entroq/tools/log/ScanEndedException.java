package io.entroq.tools.log;

/** Ends a reading from within before its end, as nothing behind is wanted. No error. */
public final class ScanEndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Nothing more is wanted. */
  public ScanEndedException() {
    super("nothing more is wanted", null, false, false);
  }
}
