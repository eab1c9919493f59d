package io.entroq.server.settings;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the name that somebody may have meant who has mistyped it. */
final class Nearest {
  /** One letter of so many may be wrong. */
  private static final int LETTERS_PER_MISTAKE = 3;

  private Nearest() {}

  /** The name that takes the fewest mistakes to get from; empty if it would be too many. */
  static Optional<String> to(String mistyped, List<String> names) {
    return names.stream()
        .min(Comparator.comparingInt(name -> mistakes(mistyped, name)))
        .filter(name -> mistakes(mistyped, name) * LETTERS_PER_MISTAKE <= name.length());
  }

  /** How many letters are wrong, missing, too many, or in the place of the next. */
  private static int mistakes(String one, String other) {
    int[] beforeLast = new int[other.length() + 1];
    int[] last = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] row = new int[other.length() + 1];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        boolean isSame = one.charAt(i - 1) == other.charAt(j - 1);
        row[j] = Math.min(last[j - 1] + (isSame ? 0 : 1), Math.min(last[j], row[j - 1]) + 1);
        if (isSwapped(one, i, other, j)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      beforeLast = last;
      last = row;
    }
    return last[other.length()];
  }

  private static boolean isSwapped(String one, int i, String other, int j) {
    return i > 1
        && j > 1
        && one.charAt(i - 1) == other.charAt(j - 2)
        && one.charAt(i - 2) == other.charAt(j - 1);
  }
}
