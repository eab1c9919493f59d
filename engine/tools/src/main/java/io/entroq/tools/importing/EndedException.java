package io.entroq.tools.importing;

/** It was interrupted. */
public final class EndedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EndedException() {
    super("interrupted", null, false, false);
  }
}
