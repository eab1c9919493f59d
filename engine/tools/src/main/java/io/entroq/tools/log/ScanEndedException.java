package io.entroq.tools.log;

/** Ends a scan early from its handler because no more records are needed. Not an error. */
public final class ScanEndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ScanEndedException() {
    super("scan ended", null, false, false);
  }
}
