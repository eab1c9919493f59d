package io.entroq.engine.state;

/** A log asks for a behaviour that this build does not have. */
public final class UnsupportedLevelException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  UnsupportedLevelException(int level, int oldest, int newest) {
    super(
        "the log asks for behaviour level "
            + level
            + ", and this build supports "
            + oldest
            + " to "
            + newest
            + "; open it with a build that supports level "
            + level);
  }
}
