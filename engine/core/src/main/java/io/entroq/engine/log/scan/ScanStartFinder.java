package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.util.List;

/**
 * Finds the segment in which a scan must start to reach a record, by the names of the runs and the
 * first records of as few segments as possible. Segments before it are not read.
 */
final class ScanStartFinder {
  private final List<LogRun> runs;
  private final RecordFrame frame;
  private final FirstRecordReader firstRecord = new FirstRecordReader();
  private final int logTag;

  /**
   * @param runs the runs that have segments
   */
  ScanStartFinder(List<LogRun> runs, RecordFrame frame, int logTag) {
    this.runs = runs;
    this.frame = frame;
    this.logTag = logTag;
  }

  /**
   * Finds the segment with the record, or the one that begins right after it.
   *
   * <p>The last run that begins up to there counts: if an earlier one has the record too, the later
   * one has cut it off. If the last one is empty, torn at its first record, the previous one
   * counts.
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
        ? ScanStart.none(null, 0, sequence + 1, "the log has no record")
        : ScanStart.of(runs.get(0), sequence + 1);
  }

  /** Null if the run never had a good record. */
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
      // The first segments are bad, but the snapshot includes their records.
      return ScanStart.at(run, 0, run.firstSequence());
    }
    if (least != Long.MAX_VALUE) {
      String trouble = "the records up to %,d are missing, the first one left is %,d";
      return ScanStart.none(run, leastSegment, sequence + 1, trouble.formatted(least - 1, least));
    }
    return null;
  }

  /** The first record of a segment; 0 if it is bad or of another log. */
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
