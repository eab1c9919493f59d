package io.entroq.system.load;

/** Values that say which operation wrote them, and are of many lengths. */
final class Values {
  private static final int MORE_MAX = 2_000;
  private static final char END_OF_NAME = ':';

  private Values() {}

  /** What an operation writes: its name, and more, so that logs and snapshots have some size. */
  static String of(String op) {
    return op + END_OF_NAME + "x".repeat(Math.floorMod(op.hashCode(), MORE_MAX));
  }

  /** The operation that wrote a value; a question mark if none writes such a one. */
  static String writer(String value) {
    int end = value.indexOf(END_OF_NAME);
    String op = end < 0 ? "" : value.substring(0, end);
    return op.matches("[\\w-]+") && of(op).equals(value) ? op : "?";
  }
}
