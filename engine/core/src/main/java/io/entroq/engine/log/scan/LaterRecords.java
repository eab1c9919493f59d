package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.SegmentLayout;

/**
 * What lies behind a bad record: valid records of the same log that are not older, found by
 * searching byte by byte.
 *
 * <p>A value may hold bytes that look like a record, such as a copy of an older one of this very
 * log. Its sequence gives it away: what is older than the bad record proves nothing about it. And
 * nothing found here is ever given out; it only decides between a cut and a refusal.
 */
final class LaterRecords {
  private final RecordFrame frame;
  private final long badSequence;
  private final Integer logTag;
  private long records;
  private long lastSequence;
  private long forcedSequence;
  private long nonZeroBytes;

  /**
   * @param logTag tag of the log, null if that record which would tell it is the bad one
   */
  LaterRecords(RecordFrame frame, long badSequence, Integer logTag) {
    this.frame = frame;
    this.badSequence = badSequence;
    this.logTag = logTag;
  }

  /** Takes in what lies in a segment from {@code offset}, where a record should begin. */
  void search(SegmentReader segment, int offset) {
    nonZeroBytes += segment.nonZeroBytesFrom(offset);
    int capacity = segment.buffer().capacity();
    int at = segment.nextMagic(offset);
    while (at < capacity) {
      boolean isProof = segment.check(frame, at) == RecordFault.NONE && isLater();
      if (isProof) {
        records++;
        lastSequence = Math.max(lastSequence, frame.sequence());
        forcedSequence = Math.max(forcedSequence, frame.forcedSequence());
      }
      // What lies inside a valid record is its payload and not looked at.
      at = segment.nextMagic(at + (isProof ? frame.length() : SegmentLayout.WORD_BYTES));
    }
  }

  private boolean isLater() {
    return frame.sequence() >= badSequence && (logTag == null || frame.logTag() == logTag);
  }

  boolean hasRecords() {
    return records > 0;
  }

  long records() {
    return records;
  }

  /** The last of the records; 0 if there is none. */
  long lastSequence() {
    return lastSequence;
  }

  /** Whether a later record says that the bad one had been on the disk. */
  boolean provesForced() {
    return forcedSequence >= badSequence;
  }

  long nonZeroBytes() {
    return nonZeroBytes;
  }

  String describe() {
    return provesForced()
        ? "%,d valid records behind it, up to %d, say that all up to %d was on the disk"
            .formatted(records, lastSequence, forcedSequence)
        : "%,d valid records lie behind it, up to %d".formatted(records, lastSequence);
  }
}
