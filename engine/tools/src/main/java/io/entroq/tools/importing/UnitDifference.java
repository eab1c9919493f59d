package io.entroq.tools.importing;

/**
 * How a place stands on both sides.
 *
 * @param place which one
 * @param atSource how much the source has
 * @param atTarget how much the target has
 * @param missing how much of the source's the target does not have
 * @param different how much both have, and not alike
 * @param extra how much of the target's the source does not have
 */
public record UnitDifference(
    UnitName place, long atSource, long atTarget, long missing, long different, long extra) {
  /** Whether both have the same. */
  public boolean isEqual() {
    return missing == 0 && different == 0 && extra == 0;
  }
}
