package io.entroq.tools.importing;

/** It was interrupted. */
public final class ImportInterruptedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ImportInterruptedException() {
    super("interrupted", null, false, false);
  }
}
