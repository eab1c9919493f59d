package io.entroq.engine.log.scan;

import java.nio.file.Path;

/**
 * Decides what ended a scan before the clean end of the log: damage, or a tail torn by a crash. One
 * thread.
 */
final class EndClassifier {
  private final Path directory;
  private final HolePolicy policy;
  private final RecordValidator chain;
  private long cutLeast = 2;
  private TornTail tornTail;
  private Damage damage;
  private MisplacedFiles misplaced;

  /**
   * @param directory the data directory
   */
  EndClassifier(Path directory, HolePolicy policy, RecordValidator chain) {
    this.directory = directory;
    this.policy = policy;
    this.chain = chain;
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

  /** Whether there is nothing more to be read. */
  boolean isOver() {
    return damage != null || tornTail != null;
  }

  /** Takes back what was found. */
  void clear() {
    damage = null;
    tornTail = null;
    misplaced = null;
  }

  /** Sets the first record that the log could be cut at. */
  void setCutLeast(long sequence) {
    cutLeast = sequence;
  }

  /** The log could be cut at this record, if not at an earlier one. */
  void allowCutAt(long sequence) {
    cutLeast = Math.min(cutLeast, sequence);
  }

  /** There is damage, and nobody has looked at what lies behind it. */
  void damaged(Path file, long offset, String what) {
    damaged(file, offset, what, chain.evidence());
  }

  /** There is damage. */
  void damaged(Path file, long offset, String what, LaterRecords behind) {
    damage =
        new Damage(
            directory,
            file,
            offset,
            chain.due(),
            cutLeast,
            behind.records(),
            behind.lastSequence(),
            false,
            what,
            null);
  }

  /** A whole file does not belong where it lies. */
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

  /** The file that does not belong where it lies; null if that is not what was found. */
  MisplacedFiles misplaced() {
    return misplaced;
  }

  /** What can be done about it. */
  void advise(String advice) {
    damage = damage.withAdvice(advice);
  }

  /** What looked like a good or torn end is none. */
  void endedTooSoon(Path file, long offset, String what) {
    damaged(file, offset, tornTail == null ? what : tornTail.what() + "; " + what);
    tornTail = null;
  }

  /** A fault is damage or a torn tail, by what lies behind it. */
  void judge(Path file, int offset, Defect fault, LaterRecords evidence) {
    boolean isDamage =
        fault.isDamage()
            || chain.due() <= chain.floor()
            || evidence.provesForced()
            || (policy == HolePolicy.REFUSE && evidence.hasRecords());
    if (isDamage) {
      String what = fault.what();
      damaged(
          file, offset, evidence.hasRecords() ? what + "; " + evidence.describe() : what, evidence);
    } else {
      long dropped = evidence.nonZeroBytes();
      tornTail = new TornTail(chain.due() - 1, file, offset, dropped, fault.what());
    }
  }
}
