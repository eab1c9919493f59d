package io.entroq.engine.replica;

/**
 * Copies of a state have not begun with the same. This one must not go on; what the others have is
 * what counts.
 */
public final class SeedMismatchException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what has been found, for people
   */
  public SeedMismatchException(String what) {
    super(
        what
            + ". All members have to begin with the same backup: stop them, empty their directories,"
            + " restore it into each, and start them anew. If only this one differs, replace it from"
            + " a healthy member");
  }
}
