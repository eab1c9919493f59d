package io.entroq.examples.mapreduce.text;

import java.util.Locale;

/**
 * What a word is: a run of Unicode letters, digits and combining marks, in lower case. Everything
 * else parts words, the underscore and bytes that are not UTF-8 too. Of a run of more than 64 code
 * points the first 64 count as the word and the rest as nothing.
 */
public final class WordRule {
  /** How long a word may be. */
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

  /** The form in which a run of at most 64 code points is counted. */
  public static String normalise(String run) {
    return run.toLowerCase(Locale.ROOT);
  }
}
