package io.entroq.tools.terminal;

/** Formats counts with nouns. */
public final class Quantity {
  private Quantity() {}

  /** For example "1 task", "1,000 tasks". */
  public static String of(long number, String noun) {
    return of(number, noun, noun + "s");
  }

  /** For example "1 policy", "1,000 policies". */
  public static String of(long number, String one, String several) {
    return "%,d %s".formatted(number, number == 1 ? one : several);
  }
}
