package io.entroq.tools.terminal;

/** Formats counts with nouns. */
public final class Quantity {
  private Quantity() {}

  /** For example "1 task", "1,000 tasks". */
  public static String of(long number, String noun) {
    return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
  }
}
