package io.entroq.engine.space;

/**
 * How much of the disk is left free by whom. Immutable.
 *
 * @param lowBytes commands that insert leave so many bytes free; 0: as many as all others
 * @param fullBytes commands of callers leave so many bytes free; 0: as many as they like, down to
 *     the reserve, where the engine ends
 * @param reserveBytes what the engine itself has to write, such as the end of a wait, leaves so
 *     many bytes free; if it cannot, the engine ends
 */
public record SpaceFloors(long lowBytes, long fullBytes, long reserveBytes) {
  /** Nothing is ever refused. */
  static final SpaceFloors NONE = new SpaceFloors(0, 0, 0);

  private static final long BYTES_MAX = 1L << 50;

  /**
   * @throws IllegalArgumentException if they are not in that order
   */
  public SpaceFloors {
    require("diskFullBytes", fullBytes, "the reserve of the log", reserveBytes);
    require("diskLowBytes", lowBytes, "diskFullBytes", fullBytes);
    require("diskLowBytes", lowBytes, "the reserve of the log", reserveBytes);
  }

  private static void require(String name, long bytes, String least, long leastBytes) {
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException(
          "%s must be at most %,d, is %,d".formatted(name, BYTES_MAX, bytes));
    }
    if (bytes != 0 && bytes < leastBytes) {
      throw new IllegalArgumentException(
          "%s must be 0, or at least %s, which is %,d; is %,d"
              .formatted(name, least, leastBytes, bytes));
    }
  }

  /** How many bytes are left free by what inserts tasks. */
  long insertFloor() {
    return Math.max(lowBytes, fullBytes);
  }

  /**
   * What is refused.
   *
   * @param before what was until now: a little more than the floor has to be free before it is
   *     over, lest every other look be a warning
   */
  SpaceLevel level(SpaceLevel before, long usableBytes) {
    if (isBelow(fullBytes, usableBytes, before == SpaceLevel.FULL)) {
      return SpaceLevel.FULL;
    }
    return isBelow(lowBytes, usableBytes, before != SpaceLevel.ENOUGH)
        ? SpaceLevel.LOW
        : SpaceLevel.ENOUGH;
  }

  /** How much more than a floor has to be free before nothing is refused any more. */
  long slack(long floor) {
    return floor / 16;
  }

  private boolean isBelow(long floor, long usableBytes, boolean wasBelow) {
    return usableBytes < (wasBelow ? floor + slack(floor) : floor);
  }
}
