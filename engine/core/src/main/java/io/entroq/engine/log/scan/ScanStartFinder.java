package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.util.List;

/**
 * Finds the segment in which a walk must begin so that it meets a certain record, by the names of
 * the runs and the first records of as few segments as will do. What lies in front of that segment
 * is not looked at, whatever has become of it.
 */
final class ScanStartFinder {
  private final List<LogRun> runs;
  private final RecordFrame frame;
  private final FirstRecordReader firstRecord = new FirstRecordReader();
  private final int logTag;

  /**
   * @param runs those that have segments
   */
  ScanStartFinder(List<LogRun> runs, RecordFrame frame, int logTag) {
    this.runs = runs;
    this.frame = frame;
    this.logTag = logTag;
  }

  /**
   * The segment that holds the record, or the one that begins right behind it.
   *
   * <p>Of all runs that begin up to there the last is the one that counts: if an earlier one has
   * the record too, the later has cut it off. Only if the last holds nothing, torn at its first
   * record, is it the one before.
   */
  ScanStart find(long sequence) {
    for (int index = runs.size() - 1; index >= 0; index--) {
      LogRun run = runs.get(index);
      ScanStart start = run.firstSequence() <= sequence ? inRun(run, sequence) : null;
      if (start != null) {
        return start;
      }
    }
    return runs.isEmpty()
        ? ScanStart.none(null, 0, sequence + 1, "there is no record in the log")
        : ScanStart.of(runs.get(0), sequence + 1);
  }

  /** Null if no record was ever good in the run. */
  private ScanStart inRun(LogRun run, long sequence) {
    long least = Long.MAX_VALUE;
    int leastSegment = 0;
    for (int index = run.segments().size() - 1; index >= 0; index--) {
      long first = firstSequence(run.segments().get(index));
      if (first != 0 && first < least) {
        least = first;
        leastSegment = index;
      }
      if (least <= sequence) {
        return ScanStart.at(run, index, least);
      }
    }
    if (least == sequence + 1) {
      return ScanStart.at(run, leastSegment, least);
    }
    if (leastSegment > 0 || (least == Long.MAX_VALUE && hasRecords(run))) {
      // The snapshot holds what the first segments begin with, though they do not say so.
      return ScanStart.at(run, 0, run.firstSequence());
    }
    if (least != Long.MAX_VALUE) {
      String trouble = "the records up to %,d are missing, the first that is left there is %,d";
      return ScanStart.none(run, leastSegment, sequence + 1, trouble.formatted(least - 1, least));
    }
    return null;
  }

  /** The first record of a segment, 0 if that is bad or of another log. */
  private long firstSequence(LogSegment segment) {
    long first = firstRecord.sequenceOf(segment);
    return first != 0 && firstRecord.logTag() == logTag ? first : 0;
  }

  private boolean hasRecords(LogRun run) {
    LaterRecords evidence = new LaterRecords(frame, run.firstSequence(), logTag);
    for (LogSegment segment : run.segments()) {
      try (SegmentReader bytes = new SegmentReader(segment)) {
        evidence.search(bytes, SegmentLayout.FIRST_RECORD_OFFSET);
      }
    }
    return evidence.hasRecords();
  }
}
