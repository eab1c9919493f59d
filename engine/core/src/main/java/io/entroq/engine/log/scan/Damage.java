package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogDamagedException;
import java.nio.file.Path;

/**
 * Damage because of which a log must not be opened.
 *
 * @param directory the data directory
 * @param file the damaged segment file or run
 * @param offset byte offset in the file
 * @param sequence the first missing or bad record
 * @param cutLeast the first record at which the log could be cut; something must remain before it
 * @param recordsBehind how many later records are readable, as far as known
 * @param lastBehind the last of them; 0 if there is none
 * @param isMisplaced whether a whole file is in the wrong place; moving it may lose nothing
 * @param what what is wrong
 * @param otherAdvice what the operator can do; null for the default advice
 */
public record Damage(
    Path directory,
    Path file,
    long offset,
    long sequence,
    long cutLeast,
    long recordsBehind,
    long lastBehind,
    boolean isMisplaced,
    String what,
    String otherAdvice) {
  /** A log has at least its first record. */
  private static final long FIRST_CUT = 2;

  /** What the operator can do. */
  public String advice() {
    return otherAdvice == null ? adviceAt(sequence) : otherAdvice;
  }

  public Damage withAdvice(String advice) {
    return new Damage(
        directory,
        file,
        offset,
        sequence,
        cutLeast,
        recordsBehind,
        lastBehind,
        isMisplaced,
        what,
        advice);
  }

  /** Whether the log can be cut. */
  public boolean isCuttable() {
    return !isMisplaced && cutLeast != Long.MAX_VALUE && (sequence >= cutLeast || isCovered());
  }

  /** Whether a snapshot includes the record, so that the log can continue after the snapshot. */
  public boolean isCovered() {
    return sequence < cutLeast && cutLeast > FIRST_CUT && cutLeast != Long.MAX_VALUE;
  }

  /** What the operator can do if the records before this one are good. */
  public String adviceAt(long sequence) {
    String restore = "Restore the directory from a backup";
    if (isCovered() && sequence < cutLeast) {
      return ("%s. Only if there is none: `entroq log repair %s --cut-at %d` keeps the snapshot at"
              + " record %,d and permanently discards everything after it.")
          .formatted(restore, directory, cutLeast, cutLeast - 1);
    }
    if (sequence < cutLeast) {
      return restore
          + "; or start over in another directory. This one has no record left to continue"
          + " from.";
    }
    return ("%s. Only if there is none: `entroq log repair %s --cut-at %d` keeps the records up to"
            + " %,d and permanently discards record %,d and everything after it.")
        .formatted(restore, directory, sequence, sequence - 1, sequence);
  }

  LogDamagedException toException() {
    String message =
        "The log is damaged: %s at offset %d, record %d: %s. %s"
            .formatted(file, offset, sequence, what, advice());
    return new LogDamagedException(message, file, offset, sequence);
  }
}
