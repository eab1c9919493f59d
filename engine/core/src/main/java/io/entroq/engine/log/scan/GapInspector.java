package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.util.List;

/** Inspects what follows a position at which a record is missing or bad. One thread. */
final class GapInspector {
  private final RunList runs;
  private final RecordValidator chain;

  GapInspector(RunList runs, RecordValidator chain) {
    this.runs = runs;
    this.chain = chain;
  }

  /**
   * What lies behind the place where a record should begin and does not.
   *
   * @param offset of the place in its segment
   * @param bad the record from which on others count
   */
  LaterRecords of(SegmentReader bytes, int offset, int index, int segmentIndex, long bad) {
    LaterRecords evidence = chain.evidenceFrom(bad);
    evidence.search(bytes, offset);
    return search(evidence, index, segmentIndex + 1);
  }

  /** What lies in a segment that should not come next, and behind it. */
  LaterRecords from(int index, int segmentIndex) {
    return search(chain.evidence(), index, segmentIndex);
  }

  private LaterRecords search(LaterRecords evidence, int index, int segmentIndex) {
    for (LogSegment segment : runs.segmentsFrom(index, segmentIndex)) {
      try (SegmentReader later = new SegmentReader(segment)) {
        evidence.search(later, SegmentLayout.FIRST_RECORD_OFFSET);
      }
    }
    return evidence;
  }

  /** Whether the next segment, or the next run, goes on with the record that is due. */
  boolean isContinued(int index, int segmentIndex) {
    List<LogSegment> segments = runs.log(index).segments();
    if (segmentIndex + 1 < segments.size()) {
      try (SegmentReader next = new SegmentReader(segments.get(segmentIndex + 1))) {
        return chain.isDueAt(next, SegmentLayout.FIRST_RECORD_OFFSET);
      }
    }
    return index + 1 < runs.size() && runs.head(index + 1).sequence() == chain.due();
  }
}
