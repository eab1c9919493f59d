package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogDamagedException;
import java.nio.file.Path;

/**
 * What makes a log unfit to go on from.
 *
 * @param directory the data directory
 * @param file the segment file, or the run, at fault
 * @param offset byte offset in the file
 * @param sequence the first record that is missing or bad
 * @param cutLeast the first record that the log could be cut at: there must be something before it
 *     to go on from
 * @param recordsBehind how many records behind it can still be read, as far as that was looked at
 * @param lastBehind the last of them; 0 if there is none
 * @param isMisplaced whether it is a whole file that does not belong where it lies: then nothing
 *     need be given up before it is moved
 * @param what what is wrong there
 * @param otherAdvice what the operator can do, null for what follows from the rest
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
  /** In front of it lies one record at least, without which there is no log. */
  private static final long FIRST_CUT = 2;

  /** What the operator can do. */
  public String advice() {
    return otherAdvice == null ? adviceAt(sequence) : otherAdvice;
  }

  /** The same damage, for which something else is to be done. */
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

  /** Whether the log could be cut somewhere. */
  public boolean isCuttable() {
    return !isMisplaced && cutLeast != Long.MAX_VALUE && (sequence >= cutLeast || isCovered());
  }

  /** Whether a snapshot holds the record, from which a log that is cut behind it could go on. */
  public boolean isCovered() {
    return sequence < cutLeast && cutLeast > FIRST_CUT && cutLeast != Long.MAX_VALUE;
  }

  /** What the operator can do about a log of which the records before this one are good. */
  public String adviceAt(long sequence) {
    String restore = "Restore the directory from a backup";
    if (isCovered() && sequence < cutLeast) {
      return ("%s. Only if there is none: `entroq log repair %s --cut-at %d` keeps the snapshot at"
              + " record %,d and gives up for good all behind it.")
          .formatted(restore, directory, cutLeast, cutLeast - 1);
    }
    if (sequence < cutLeast) {
      return restore
          + "; or choose another directory to begin anew. No record in this one is left"
          + " to go on from.";
    }
    return ("%s. Only if there is none: `entroq log repair %s --cut-at %d` keeps the records up to"
            + " %,d and gives up for good record %,d and all behind it.")
        .formatted(restore, directory, sequence, sequence - 1, sequence);
  }

  LogDamagedException toException() {
    String message =
        "The log is damaged: %s at offset %d, record %d: %s. %s"
            .formatted(file, offset, sequence, what, advice());
    return new LogDamagedException(message, file, offset, sequence);
  }
}
