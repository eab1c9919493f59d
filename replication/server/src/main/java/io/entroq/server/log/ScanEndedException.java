package io.entroq.server.log;

/** Ends the reading of a log before its end, as nothing behind is wanted. No error. */
final class ScanEndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScanEndedException() {
    super("nothing more is wanted", null, false, false);
  }
}
