package io.entroq.system.load;

/** Values of different lengths that name the operation that wrote them. */
final class Values {
  private static final int MORE_MAX = 2_000;
  private static final char END_OF_NAME = ':';

  private Values() {}

  /** The name of an operation and a filler, so that logs and snapshots grow. */
  static String of(String op) {
    return op + END_OF_NAME + "x".repeat(Math.floorMod(op.hashCode(), MORE_MAX));
  }

  /** The operation that wrote a value; a question mark if it is not intact. */
  static String writer(String value) {
    int end = value.indexOf(END_OF_NAME);
    String op = end < 0 ? "" : value.substring(0, end);
    return op.matches("[\\w-]+") && of(op).equals(value) ? op : "?";
  }
}
