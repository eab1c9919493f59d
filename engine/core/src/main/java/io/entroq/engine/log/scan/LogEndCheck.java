package io.entroq.engine.log.scan;

import io.entroq.engine.log.CleanCloseMarker;
import java.nio.file.Path;

/** Checks that a log reaches its known end. Not thread-safe. */
final class LogEndCheck {
  private final Path directory;
  private final RecordValidator validator;
  private final EndClassifier classifier;

  /**
   * @param directory the data directory
   */
  LogEndCheck(Path directory, RecordValidator validator, EndClassifier classifier) {
    this.directory = directory;
    this.validator = validator;
    this.classifier = classifier;
  }

  /**
   * Reports what is missing at the end of a log that was read.
   *
   * @param mark the mark of a clean close; null if there is none
   * @param endFile the segment in which the log ends; null if there is none
   * @param endOffset the offset in it
   */
  void check(RunList runs, CleanCloseMarker mark, Path endFile, int endOffset) {
    checkKnownEnds(runs, mark, endFile, endOffset);
    checkFloor(endFile, endOffset);
  }

  /** Checks that the log still reaches as far as when its runs were created or it was closed. */
  private void checkKnownEnds(RunList runs, CleanCloseMarker mark, Path endFile, int endOffset) {
    KnownEnd knownEnd = furthest(runs, mark);
    if (classifier.isDamaged() || knownEnd == null || knownEnd.lastSequence() < validator.due()) {
      return;
    }
    String what = validator.missing(knownEnd.lastSequence() + 1) + "; " + knownEnd.description();
    classifier.endedTooSoon(endFile == null ? knownEnd.place() : endFile, endOffset, what);
  }

  /** The furthest known end, null if there is none; a cut overrides those before it. */
  private KnownEnd furthest(RunList runs, CleanCloseMarker mark) {
    // Ignore a mark left behind by another log.
    Integer tag = validator.logTag();
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

  /** Checks that the log reaches the record after which to start. */
  private void checkFloor(Path endFile, int endOffset) {
    if (classifier.isDamaged() || validator.reachesFloor()) {
      return;
    }
    String what =
        "the log ends before record %,d, which its snapshot includes".formatted(validator.floor());
    classifier.endedTooSoon(endFile == null ? directory : endFile, endOffset, what);
  }
}
