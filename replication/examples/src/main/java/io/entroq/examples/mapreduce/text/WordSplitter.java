package io.entroq.examples.mapreduce.text;

/** Finds words in a text and counts them. For one thread, and for one text. */
final class WordSplitter {
  private final WordCounts counts = new WordCounts();
  private final StringBuilder run = new StringBuilder();
  private int codePoints;

  /** The run began before the text: it belongs to others. */
  private boolean isForeign;

  WordSplitter(boolean startsInsideWord) {
    isForeign = startsInsideWord;
  }

  /** Takes a part of the text, cut between code points. */
  void take(String text) {
    int at = 0;
    while (at < text.length()) {
      int codePoint = text.codePointAt(at);
      at += Character.charCount(codePoint);
      take(codePoint);
    }
  }

  /** Takes from what follows the text no more than the rest of a word that begins in the text. */
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
      counts.add(WordRule.normalise(run.toString()), 1);
    }
    run.setLength(0);
    codePoints = 0;
    isForeign = false;
  }
}
