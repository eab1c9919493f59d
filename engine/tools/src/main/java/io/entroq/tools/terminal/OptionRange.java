package io.entroq.tools.terminal;

/** Checks numbers on a command line. */
public final class OptionRange {
  private OptionRange() {}

  /**
   * Throws {@link IllegalArgumentException} with a message for the user if a number is out of
   * range.
   *
   * @param option as written on the command line
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
