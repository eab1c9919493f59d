package io.entroq.tools.importing;

/** The import was interrupted by its user. */
public final class ImportInterruptedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ImportInterruptedException() {
    super("interrupted", null, false, false);
  }
}
