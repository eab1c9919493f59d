package io.entroq.examples.mapreduce.text;

import java.util.Locale;

/**
 * Defines a word: a run of Unicode letters, digits and combining marks, in lower case. Everything
 * else separates words, including the underscore and invalid UTF-8. Only the first 64 code points
 * of a longer run count as the word; the rest are ignored.
 */
public final class WordRule {
  /** Maximum length of a word. */
  public static final int CODE_POINTS_MAX = 64;

  private static final int MARKS =
      1 << Character.NON_SPACING_MARK
          | 1 << Character.COMBINING_SPACING_MARK
          | 1 << Character.ENCLOSING_MARK;

  private WordRule() {}

  /** Whether a code point belongs to a word. */
  public static boolean isPart(int codePoint) {
    return Character.isLetterOrDigit(codePoint) || (MARKS >> Character.getType(codePoint) & 1) != 0;
  }

  /** The word for a run of at most 64 code points. */
  public static String normalize(String run) {
    return run.toLowerCase(Locale.ROOT);
  }
}
