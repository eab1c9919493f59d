package io.entroq.engine.log.scan;

/** Selects the longest increasing subsequence of a list of numbers. */
final class LongestIncreasingSubsequence {
  private LongestIncreasingSubsequence() {}

  /**
   * Returns for each number whether it is selected.
   *
   * @param isAllowed whether it may be selected
   */
  static boolean[] longest(long[] numbers, boolean[] isAllowed) {
    int[] lengths = new int[numbers.length];
    int[] before = new int[numbers.length];
    int best = -1;
    for (int i = 0; i < numbers.length; i++) {
      before[i] = -1;
      lengths[i] = 1;
      if (!isAllowed[i]) {
        continue;
      }
      // If the numbers are in order, as nearly always, the first candidate is the best.
      for (int j = i - 1; j >= 0 && lengths[i] <= j + 2; j--) {
        if (!isAllowed[j] || numbers[j] >= numbers[i]) {
          continue;
        }
        if (lengths[j] >= lengths[i]) {
          lengths[i] = lengths[j] + 1;
          before[i] = j;
        } else if (lengths[j] + 1 == lengths[i] && numbers[j] == numbers[before[i]]) {
          // Of two equal numbers the first is selected.
          before[i] = j;
        }
      }
      best = best < 0 || lengths[i] > lengths[best] ? i : best;
    }
    boolean[] isKept = new boolean[numbers.length];
    for (int at = best; at >= 0; at = before[at]) {
      isKept[at] = true;
    }
    return isKept;
  }
}
