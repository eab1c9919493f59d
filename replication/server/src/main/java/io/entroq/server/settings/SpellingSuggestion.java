package io.entroq.server.settings;

import static java.lang.Math.min;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Suggests the name that a misspelled one was probably meant to be. Picocli matches options by
 * their first two letters and commands by common letter pairs: it suggests {@code --print-config}
 * for {@code --prot}, and nothing for {@code --qeue}.
 */
public final class SpellingSuggestion {
  /** At most one typo for this many letters. */
  private static final int LETTERS_PER_TYPO = 3;

  private SpellingSuggestion() {}

  /** The closest name; empty if none is close. */
  public static Optional<String> closest(String misspelled, List<String> names) {
    return names.stream()
        .min(Comparator.comparingInt(name -> distance(misspelled, name)))
        .filter(name -> distance(misspelled, name) * LETTERS_PER_TYPO <= name.length());
  }

  /** The Damerau-Levenshtein distance (optimal string alignment). */
  private static int distance(String one, String other) {
    int[][] cells = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          cells[i][j] = i + j;
          continue;
        }
        int replaced = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        int best = min(min(cells[i - 1][j], cells[i][j - 1]) + 1, cells[i - 1][j - 1] + replaced);
        boolean isSwapped =
            i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
        cells[i][j] = isSwapped ? min(best, cells[i - 2][j - 2] + 1) : best;
      }
    }
    return cells[one.length()][other.length()];
  }
}
