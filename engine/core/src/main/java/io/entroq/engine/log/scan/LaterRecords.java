package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.SegmentLayout;

/**
 * Valid records of the same log after a bad one, found by searching the bytes.
 *
 * <p>A value may contain bytes that look like a record, such as a copy of an older record of this
 * log; so records older than the bad one do not count. Records found here are never delivered. They
 * only decide between cutting the log and refusing it.
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
   * @param logTag tag of the log; null if the bad record is the one that defines it
   */
  LaterRecords(RecordFrame frame, long badSequence, Integer logTag) {
    this.frame = frame;
    this.badSequence = badSequence;
    this.logTag = logTag;
  }

  /** Searches a segment from {@code offset}, where a record should begin. */
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
      // Skip the payload of a valid record.
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

  /** The last record; 0 if there is none. */
  long lastSequence() {
    return lastSequence;
  }

  /** Whether a later record proves that the bad one had been on the disk. */
  boolean provesForced() {
    return forcedSequence >= badSequence;
  }

  long nonZeroBytes() {
    return nonZeroBytes;
  }

  String describe() {
    return provesForced()
        ? "%,d valid records after it, up to %d, prove that everything up to %d was on the disk"
            .formatted(records, lastSequence, forcedSequence)
        : "%,d valid records follow it, up to %d".formatted(records, lastSequence);
  }
}
