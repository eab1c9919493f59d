package io.entroq.engine.log.scan;

import java.nio.file.Path;

/**
 * Decides what ended a scan before the clean end of the log: damage, or a tail torn by a crash. Not
 * thread-safe.
 */
final class EndClassifier {
  private final Path directory;
  private final HolePolicy policy;
  private final RecordValidator validator;
  private long cutLeast = 2;
  private TornTail tornTail;
  private Damage damage;
  private MisplacedFiles misplaced;

  /**
   * @param directory the data directory
   */
  EndClassifier(Path directory, HolePolicy policy, RecordValidator validator) {
    this.directory = directory;
    this.policy = policy;
    this.validator = validator;
  }

  /** Null if there is none. */
  TornTail tornTail() {
    return tornTail;
  }

  /** Null if there is none. */
  Damage damage() {
    return damage;
  }

  boolean isDamaged() {
    return damage != null;
  }

  /** Whether the scan has ended. */
  boolean isOver() {
    return damage != null || tornTail != null;
  }

  void clear() {
    damage = null;
    tornTail = null;
    misplaced = null;
  }

  /** Sets the first record at which the log could be cut. */
  void setCutLeast(long sequence) {
    cutLeast = sequence;
  }

  /** Allows a cut at this record. */
  void allowCutAt(long sequence) {
    cutLeast = Math.min(cutLeast, sequence);
  }

  /** Reports damage without evidence from later records. */
  void damaged(Path file, long offset, String what) {
    damaged(file, offset, what, validator.evidence());
  }

  void damaged(Path file, long offset, String what, LaterRecords later) {
    damage =
        new Damage(
            directory,
            file,
            offset,
            validator.due(),
            cutLeast,
            later.records(),
            later.lastSequence(),
            false,
            what,
            null);
  }

  /** Reports a file in the wrong place. */
  void misplaced(MisplacedFiles found) {
    misplaced = found;
    tornTail = null;
    damage =
        new Damage(
            directory,
            found.file(),
            0,
            found.sequence(),
            Long.MAX_VALUE,
            0,
            0,
            true,
            found.text(),
            null);
  }

  /** The file in the wrong place; null if there is none. */
  MisplacedFiles misplaced() {
    return misplaced;
  }

  void advise(String advice) {
    damage = damage.withAdvice(advice);
  }

  /** Reports that the log ends before its known end. */
  void endedTooSoon(Path file, long offset, String what) {
    damaged(file, offset, tornTail == null ? what : tornTail.what() + "; " + what);
    tornTail = null;
  }

  /** Classifies a fault as damage or a torn tail, by the records after it. */
  void judge(Path file, int offset, Defect fault, LaterRecords evidence) {
    boolean isDamage =
        fault.isDamage()
            || validator.due() <= validator.floor()
            || evidence.provesForced()
            || (policy == HolePolicy.REFUSE && evidence.hasRecords());
    if (isDamage) {
      String what = fault.what();
      damaged(
          file, offset, evidence.hasRecords() ? what + "; " + evidence.describe() : what, evidence);
    } else {
      long dropped = evidence.nonZeroBytes();
      tornTail = new TornTail(validator.due() - 1, file, offset, dropped, fault.what());
    }
  }
}
