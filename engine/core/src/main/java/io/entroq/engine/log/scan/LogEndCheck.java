package io.entroq.engine.log.scan;

import io.entroq.engine.log.CleanCloseMarker;
import java.nio.file.Path;

/** Checks that a log reaches as far as it is known to have reached. One thread. */
final class LogEndCheck {
  private final Path directory;
  private final RecordValidator chain;
  private final EndClassifier verdict;

  /**
   * @param directory the data directory
   */
  LogEndCheck(Path directory, RecordValidator chain, EndClassifier verdict) {
    this.directory = directory;
    this.chain = chain;
    this.verdict = verdict;
  }

  /**
   * Looks at a log that was walked through, and says what is missing at its end.
   *
   * @param mark of a log that was closed; null if there is none
   * @param endFile the segment in which it ends, null if there is none
   * @param endOffset where in it
   */
  void check(RunList runs, CleanCloseMarker mark, Path endFile, int endOffset) {
    checkWitnesses(runs, mark, endFile, endOffset);
    checkFloor(endFile, endOffset);
  }

  /** Whether the log still reaches as far as it did when its runs were made, or it was closed. */
  private void checkWitnesses(RunList runs, CleanCloseMarker mark, Path endFile, int endOffset) {
    KnownEnd witness = furthest(runs, mark);
    if (verdict.isDamaged() || witness == null || witness.lastSequence() < chain.due()) {
      return;
    }
    String what = chain.missing(witness.lastSequence() + 1) + "; " + witness.testimony();
    verdict.endedTooSoon(endFile == null ? witness.place() : endFile, endOffset, what);
  }

  /** The witness that says the most, null if none does; a cut takes back what was said before. */
  private KnownEnd furthest(RunList runs, CleanCloseMarker mark) {
    // That of another log, left where this one was put, says nothing about it.
    Integer tag = chain.logTag();
    boolean isOfOther = mark != null && tag != null && mark.logTag() != tag;
    KnownEnd furthest = null;
    for (KnownEnd each : KnownEnd.of(runs.logs(), isOfOther ? null : mark, directory)) {
      boolean isFurther = furthest == null || each.lastSequence() > furthest.lastSequence();
      if (isFurther || runs.isCut(each.run(), tag)) {
        furthest = each;
      }
    }
    return furthest;
  }

  /** Whether the log reaches the record behind which to begin. */
  private void checkFloor(Path endFile, int endOffset) {
    if (verdict.isDamaged() || chain.reachesFloor()) {
      return;
    }
    String what =
        "the log ends before record %,d, which a snapshot of it holds".formatted(chain.floor());
    verdict.endedTooSoon(endFile == null ? directory : endFile, endOffset, what);
  }
}
