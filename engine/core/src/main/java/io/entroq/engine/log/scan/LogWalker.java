package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.SegmentLayout;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the runs of a log record by record, up to the end or the first defect, and delivers the
 * requested records. Not thread-safe.
 */
final class LogWalker {
  private final Path directory;
  private final RecordFrame frame;
  private final RecordValidator validator;
  private final EndClassifier classifier;
  private final ScanCounters counters;
  private final RecordHandler handler;
  private final FirstRecordReader firstRecord = new FirstRecordReader();
  private RunList runs;
  private GapInspector gaps;
  private Path endFile;
  private Path previousFile;
  private int endOffset;

  /** Whether reading left a segment at a bad record and continues in a later one. */
  private boolean isLeft;

  /**
   * @param directory the data directory
   */
  LogWalker(
      Path directory,
      RecordFrame frame,
      RecordValidator validator,
      EndClassifier classifier,
      ScanCounters counters,
      RecordHandler handler) {
    this.directory = directory;
    this.frame = frame;
    this.validator = validator;
    this.classifier = classifier;
    this.counters = counters;
    this.handler = handler;
  }

  /** The current segment; null if there is none. */
  Path endFile() {
    return endFile;
  }

  /** The current offset in it. */
  int endOffset() {
    return endOffset;
  }

  /**
   * Reads from a starting point.
   *
   * @param start null if there is nothing to read
   */
  void go(RunList through, ScanStart start) {
    runs = through;
    gaps = new GapInspector(runs, validator);
    if (start == null) {
      return;
    }
    validator.setDue(start.sequence());
    if (start.trouble() != null) {
      boolean isEmpty = start.run() == null;
      Path file = isEmpty ? directory : start.run().segments().get(start.segment()).file();
      classifier.damaged(file, isEmpty ? 0 : SegmentLayout.FIRST_RECORD_OFFSET, start.trouble());
      return;
    }
    validator.begin();
    endFile = null;
    isLeft = false;
    for (int index = runs.indexOf(start.run());
        index < runs.size() && !classifier.isOver();
        index++) {
      LogRun run = runs.log(index);
      readRun(index, run.equals(start.run()) ? start : ScanStart.of(run, validator.due()));
    }
  }

  private void readRun(int index, ScanStart start) {
    LogRun run = start.run();
    long limit = runs.limitOf(index, validator.logTag());
    if (run.firstSequence() >= limit) {
      return;
    }
    List<LogSegment> segments = run.segments();
    long number = start.isLeading() ? segments.get(start.segment()).number() : 0;
    for (int i = start.segment();
        i < segments.size() && validator.due() < limit && !classifier.isOver();
        i++) {
      LogSegment segment = segments.get(i);
      if (sequenceOf(segment) >= limit) {
        // Cut off, with everything after it in the run.
        return;
      }
      boolean isPassed = sequenceOf(segment) == 0 && gaps.isContinued(index, i);
      if (segment.number() != number && (isPassed || passesGap(segment, number))) {
        number = segment.number();
      }
      if (segment.number() != number) {
        String what = missingSegment(number, segment);
        classifier.damaged(run.directory(), 0, what, gaps.from(index, i));
        return;
      }
      readSegmentOf(index, i, limit);
      number++;
    }
  }

  /** Whether the missing segments are not needed or never existed. */
  private boolean passesGap(LogSegment next, long number) {
    long first = sequenceOf(next);
    if (first == validator.due()) {
      counters.warn(LogWarning.ofRenamed(next.file(), first, SegmentLayout.fileName(number)));
      return true;
    }
    return validator.mayGoOnWith(first);
  }

  /** The first record of a segment; 0 if it is bad or of another log. */
  private long sequenceOf(LogSegment segment) {
    long first = firstRecord.sequenceOf(segment);
    Integer tag = validator.logTag();
    return first != 0 && tag != null && firstRecord.logTag() == tag ? first : 0;
  }

  private String missingSegment(long number, LogSegment next) {
    String what = "the segment %s is missing".formatted(SegmentLayout.fileName(number));
    long first = firstRecord.sequenceOf(next);
    return first > validator.due() ? what + ", " + validator.missing(first) : what;
  }

  private void readSegmentOf(int index, int segmentIndex, long limit) {
    RunHeader run = runs.head(index);
    LogSegment segment = run.log().segments().get(segmentIndex);
    try (SegmentReader bytes = new SegmentReader(segment)) {
      passToBeginOf(segment);
      Defect fault = segment.number() == 0 ? validator.faultOfRun(run) : null;
      previousFile = endFile;
      endFile = segment.file();
      endOffset = SegmentLayout.FIRST_RECORD_OFFSET;
      if (fault != null) {
        judgeRun(bytes, fault, index);
      } else {
        handler.onSegment(segment.file());
        if (isOlder(segment)) {
          String what = "it begins with record %d again".formatted(sequenceOf(segment));
          classifier.misplaced(MisplacedFiles.of(segment.file(), sequenceOf(segment), what));
          return;
        }
        readRecords(bytes, index, segmentIndex, limit);
        warnOfShort(bytes, index, segmentIndex);
      }
      boolean isEmpty = endOffset == SegmentLayout.FIRST_RECORD_OFFSET;
      if (isEmpty && validator.due() < limit && bytes.isForeign()) {
        classifier.misplaced(MisplacedFiles.of(segment.file(), 0, "it is not a segment of a log"));
      }
      counters.readSegment(segment.file(), validator.due() - 1);
    }
  }

  /** Whether a later segment begins with a record that was already read. */
  private boolean isOlder(LogSegment segment) {
    long first = sequenceOf(segment);
    return previousFile != null && segment.number() > 0 && first != 0 && first < validator.due();
  }

  /** Skips missing records before a segment that the snapshot includes. */
  private void passToBeginOf(LogSegment segment) {
    long first = sequenceOf(segment);
    if (!validator.mayGoOnWith(first)) {
      return;
    }
    if (!isLeft && endFile != null) {
      warn(endFile, endOffset, first - 1, validator.missing(first));
    }
    isLeft = false;
    validator.passTo(first, false);
  }

  /** Warns of an empty segment that is shorter than any that a crash leaves. */
  private void warnOfShort(SegmentReader bytes, int index, int segmentIndex) {
    boolean isLast = segmentIndex == runs.log(index).segments().size() - 1;
    boolean isBlank = endOffset == SegmentLayout.FIRST_RECORD_OFFSET && bytes.isBlank();
    if (isLast && isBlank && bytes.buffer().capacity() < SegmentLayout.endOfFile(endOffset)) {
      counters.warn(LogWarning.ofShortSegment(bytes.file(), bytes.buffer().capacity()));
    }
  }

  private void warn(Path file, int offset, long last, String what) {
    counters.warn(
        LogWarning.ofCovered(file, offset, validator.due(), last, validator.snapshot(), what));
  }

  /** Classifies a defect of a run. */
  private void judgeRun(SegmentReader bytes, Defect fault, int index) {
    RunHeader run = runs.head(index);
    long first = run.log().firstSequence();
    if (run.isReadable() && first < validator.due()) {
      // Only a cut goes back to earlier records, and this is not one.
      classifier.misplaced(MisplacedFiles.of(run.log().directory(), run.sequence(), fault.what()));
      return;
    }
    if (run.isReadable() || first >= validator.due()) {
      judge(bytes, withPlaceBefore(fault), gaps.of(bytes, endOffset, index, 0, validator.due()));
      return;
    }
    // It can only have begun with a cut. Records after that count, but not the ones it cut off,
    // which were read.
    LaterRecords evidence = gaps.of(bytes, endOffset, index, 0, first);
    judge(bytes, new Defect(fault.what(), evidence.hasRecords()), evidence);
  }

  /** Also names the adjacent files, because one of them may be the bad one. */
  private Defect placed(Defect fault, int index) {
    boolean isFirst = endOffset == SegmentLayout.FIRST_RECORD_OFFSET;
    Defect placed = isFirst ? withPlaceBefore(fault) : fault;
    if (index + 1 == runs.size() || runs.head(index + 1).isReadable()) {
      return placed;
    }
    Path next = runs.log(index + 1).segments().get(0).file();
    String name = next.getParent().getFileName() + "/" + next.getFileName();
    String what = "%s, and the first record of %s is bad".formatted(placed.what(), name);
    return new Defect(what, placed.isDamage());
  }

  /** Also names the file at whose end records are missing. */
  private Defect withPlaceBefore(Defect fault) {
    if (previousFile == null || previousFile.equals(endFile)) {
      return fault;
    }
    String run = previousFile.getParent().getFileName() + "/" + previousFile.getFileName();
    String end =
        validator.due() == 1 ? "has no record" : "ends with %d".formatted(validator.due() - 1);
    String what = "%s, and %s before it %s".formatted(fault.what(), run, end);
    return new Defect(what, fault.isDamage());
  }

  private void judge(SegmentReader bytes, Defect fault, LaterRecords evidence) {
    classifier.judge(bytes.file(), endOffset, fault, evidence);
  }

  private void readRecords(SegmentReader bytes, int index, int segmentIndex, long limit) {
    Defect fault = readToFault(bytes, limit);
    while (fault != null && !isCleanEnd(bytes) && !isStray(bytes, index, segmentIndex)) {
      if (validator.isCovered() && !fault.isDamage()) {
        if (!passOver(bytes, fault, index, segmentIndex)) {
          return;
        }
        fault = readToFault(bytes, limit);
        continue;
      }
      LaterRecords evidence = gaps.of(bytes, endOffset, index, segmentIndex, validator.due());
      // A record that a running engine was writing is complete by now if a later one is.
      if (!evidence.hasRecords() || validator.faultAt(bytes, endOffset) != null) {
        judge(bytes, placed(fault, index), evidence);
        return;
      }
      fault = readToFault(bytes, limit);
    }
  }

  /**
   * Skips bad records that the snapshot includes.
   *
   * @return whether to continue in this segment
   */
  private boolean passOver(SegmentReader bytes, Defect fault, int index, int segmentIndex) {
    Resynchronizer resync = new Resynchronizer(frame, validator, bytes);
    if (resync.find(endOffset)) {
      warn(bytes.file(), endOffset, resync.sequence() - 1, fault.what());
      validator.passTo(resync.sequence(), resync.isProven());
      endOffset = resync.offset();
      return true;
    }
    for (LogSegment later : runs.segmentsFrom(index, segmentIndex + 1)) {
      if (validator.mayGoOnWith(sequenceOf(later))) {
        warn(bytes.file(), endOffset, validator.due(), fault.what());
        isLeft = true;
        return false;
      }
    }
    LaterRecords evidence = gaps.of(bytes, endOffset, index, segmentIndex, validator.due());
    judge(bytes, placed(fault, index), evidence);
    return false;
  }

  /** Delivers records up to a bad one and returns its defect; null if the limit came first. */
  private Defect readToFault(SegmentReader bytes, long limit) {
    while (validator.due() < limit) {
      Defect fault = validator.faultAt(bytes, endOffset);
      if (fault != null) {
        return fault;
      }
      take(bytes);
      endOffset = Math.toIntExact(SegmentLayout.next(endOffset, frame.length()));
    }
    return null;
  }

  private void take(SegmentReader bytes) {
    if (validator.isBehindFloor()) {
      give(bytes);
    } else if (validator.isAtFloor()) {
      classifier.allowCutAt(validator.floor() + 1);
    }
    if (validator.payloadFault() != null && validator.isCovered()) {
      warn(bytes.file(), endOffset, validator.due(), validator.payloadFault());
    }
    validator.advance();
    counters.read(frame);
  }

  private void give(SegmentReader bytes) {
    handler.onRecord(
        frame.type(),
        frame.sequence(),
        frame.logTimeMs(),
        frame.payloadCrc(),
        bytes.buffer(),
        endOffset + RecordFrame.HEADER_BYTES,
        frame.payloadLength());
    counters.given(frame);
  }

  private boolean isCleanEnd(SegmentReader bytes) {
    boolean isClean = bytes.endsAt(endOffset);
    if (isClean && SegmentLayout.endOfFile(endOffset) < bytes.buffer().capacity()) {
      counters.loose(bytes.file(), endOffset);
    }
    return isClean;
  }

  /**
   * Whether bytes after the last record of a segment can be ignored: the next segment continues
   * with the record that is due, and it is not in these bytes.
   */
  private boolean isStray(SegmentReader bytes, int index, int segmentIndex) {
    if (!gaps.isContinued(index, segmentIndex)) {
      return false;
    }
    LaterRecords here = validator.evidence();
    here.search(bytes, endOffset);
    if (here.hasRecords()) {
      return false;
    }
    counters.stray(here.nonZeroBytes());
    return true;
  }
}
