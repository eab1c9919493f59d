package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.util.List;

/** Inspects what follows a position at which a record is missing or bad. Not thread-safe. */
final class GapInspector {
  private final RunList runs;
  private final RecordValidator validator;

  GapInspector(RunList runs, RecordValidator validator) {
    this.runs = runs;
    this.validator = validator;
  }

  /**
   * The valid records after a position where a record should begin but does not.
   *
   * @param offset the position in its segment
   * @param bad only records from this sequence count
   */
  LaterRecords of(SegmentReader bytes, int offset, int index, int segmentIndex, long bad) {
    LaterRecords evidence = validator.evidenceFrom(bad);
    evidence.search(bytes, offset);
    return search(evidence, index, segmentIndex + 1);
  }

  /** The valid records from a segment on that should not come next. */
  LaterRecords from(int index, int segmentIndex) {
    return search(validator.evidence(), index, segmentIndex);
  }

  private LaterRecords search(LaterRecords evidence, int index, int segmentIndex) {
    for (LogSegment segment : runs.segmentsFrom(index, segmentIndex)) {
      try (SegmentReader later = new SegmentReader(segment)) {
        evidence.search(later, SegmentLayout.FIRST_RECORD_OFFSET);
      }
    }
    return evidence;
  }

  /** Whether the next segment or run begins with the record that is due. */
  boolean isContinued(int index, int segmentIndex) {
    List<LogSegment> segments = runs.log(index).segments();
    if (segmentIndex + 1 < segments.size()) {
      try (SegmentReader next = new SegmentReader(segments.get(segmentIndex + 1))) {
        return validator.isDueAt(next, SegmentLayout.FIRST_RECORD_OFFSET);
      }
    }
    return index + 1 < runs.size() && runs.head(index + 1).sequence() == validator.due();
  }
}
