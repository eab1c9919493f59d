package io.entroq.system.history;

/**
 * Something that cannot be.
 *
 * @param what with the names of the operations
 */
public record Finding(Harm harm, String what) {
  @Override
  public String toString() {
    return harm + ": " + what;
  }
}
