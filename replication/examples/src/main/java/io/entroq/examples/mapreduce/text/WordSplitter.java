package io.entroq.examples.mapreduce.text;

/** Counts the words of one text. Not thread-safe. */
final class WordSplitter {
  private final WordCounts counts = new WordCounts();
  private final StringBuilder run = new StringBuilder();
  private int codePoints;

  /** Whether the current run began before the text and so is not counted. */
  private boolean isForeign;

  WordSplitter(boolean startsInsideWord) {
    isForeign = startsInsideWord;
  }

  /** Counts a part of the text, cut between code points. */
  void take(String text) {
    int at = 0;
    while (at < text.length()) {
      int codePoint = text.codePointAt(at);
      at += Character.charCount(codePoint);
      take(codePoint);
    }
  }

  /** Finishes a word at the end of the text with the beginning of what follows the text. */
  void finishWith(String following) {
    int at = 0;
    while (at < following.length() && codePoints > 0 && !isForeign) {
      int codePoint = following.codePointAt(at);
      at += Character.charCount(codePoint);
      take(codePoint);
    }
    endRun();
  }

  WordCounts counts() {
    return counts;
  }

  private void take(int codePoint) {
    if (!WordRule.isPart(codePoint)) {
      endRun();
    } else if (codePoints < WordRule.CODE_POINTS_MAX && !isForeign) {
      run.appendCodePoint(codePoint);
      codePoints++;
    }
  }

  private void endRun() {
    if (codePoints > 0) {
      counts.add(WordRule.normalize(run.toString()), 1);
    }
    run.setLength(0);
    codePoints = 0;
    isForeign = false;
  }
}
