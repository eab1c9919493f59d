package io.entroq.tools.terminal;

/** What numbers on a command line have to be, said in one way. */
public final class OptionRange {
  private OptionRange() {}

  /**
   * Returns if a number is in its range.
   *
   * @param option as it is written on the command line
   * @throws IllegalArgumentException with a line for people
   */
  public static void require(String option, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s, is %s"
              .formatted(option, plain(min), plain(max), plain(value)));
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? "%,.0f".formatted(value) : Double.toString(value);
  }
}
