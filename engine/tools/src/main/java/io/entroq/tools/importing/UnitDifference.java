package io.entroq.tools.importing;

/**
 * The comparison of a unit.
 *
 * @param unit its name
 * @param atSource number of items at the source
 * @param atTarget number of items at the target
 * @param missing number of the source's items that the target does not have
 * @param different number of items that differ
 * @param extra number of the target's items that the source does not have
 */
public record UnitDifference(
    UnitName unit, long atSource, long atTarget, long missing, long different, long extra) {
  /** Whether both have the same. */
  public boolean isEqual() {
    return missing == 0 && different == 0 && extra == 0;
  }
}
