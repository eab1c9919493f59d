package io.entroq.tools.terminal;

/** Numbers of things as people say them. */
public final class Quantity {
  private Quantity() {}

  /** So many of what the noun names in the singular. */
  public static String of(long number, String noun) {
    return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
  }
}
