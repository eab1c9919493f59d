package io.entroq.engine.space;

/**
 * How much disk space each kind of write leaves free. Immutable.
 *
 * @param lowBytes bytes that inserts leave free; 0: as many as other commands do
 * @param fullBytes bytes that all commands of callers leave free; 0: no limit above the reserve, at
 *     which the engine fails
 * @param reserveBytes bytes that the engine's own records, such as the end of a wait, leave free;
 *     if one cannot, the engine fails
 */
public record SpaceFloors(long lowBytes, long fullBytes, long reserveBytes) {
  /** Refuses nothing. */
  static final SpaceFloors NONE = new SpaceFloors(0, 0, 0);

  private static final long BYTES_MAX = 1L << 50;

  /**
   * @throws IllegalArgumentException if a bound that is not 0 is below the next one
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
          "%s must be 0 or at least %s, which is %,d; is %,d"
              .formatted(name, least, leastBytes, bytes));
    }
  }

  /** Bytes that inserts leave free. */
  long insertFloor() {
    return Math.max(lowBytes, fullBytes);
  }

  /**
   * What to refuse.
   *
   * @param before the level until now; leaving it takes a little more space than the floor, so that
   *     it does not flap
   */
  SpaceLevel level(SpaceLevel before, long usableBytes) {
    if (isBelow(fullBytes, usableBytes, before == SpaceLevel.FULL)) {
      return SpaceLevel.FULL;
    }
    return isBelow(lowBytes, usableBytes, before != SpaceLevel.ENOUGH)
        ? SpaceLevel.LOW
        : SpaceLevel.ENOUGH;
  }

  /** How many bytes above a floor must be free before refusals end. */
  long slack(long floor) {
    return floor / 16;
  }

  private boolean isBelow(long floor, long usableBytes, boolean wasBelow) {
    return usableBytes < (wasBelow ? floor + slack(floor) : floor);
  }
}
