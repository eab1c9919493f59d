package io.entroq.engine.replica;

/**
 * Replicas started from different states. This one must stop; the others' state is authoritative.
 */
public final class SeedMismatchException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what was found, for the operator
   */
  public SeedMismatchException(String what) {
    super(
        what
            + ". All members have to begin with the same backup: stop them, empty their directories,"
            + " restore it into each, and start them anew. If only this one differs, replace it from"
            + " a healthy member");
  }
}
