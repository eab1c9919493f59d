package io.entroq.system.history;

/**
 * Something that no correct queue does.
 *
 * @param what names the operations
 */
public record Violation(ViolationKind kind, String what) {
  @Override
  public String toString() {
    return kind + ": " + what;
  }
}
