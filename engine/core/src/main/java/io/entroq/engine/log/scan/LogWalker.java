package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.SegmentLayout;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the runs of a log record by record, up to the end or the first defect, and hands out the
 * requested records. One thread.
 */
final class LogWalker {
  private final Path directory;
  private final RecordFrame frame;
  private final RecordValidator chain;
  private final EndClassifier verdict;
  private final ScanCounters tally;
  private final RecordHandler handler;
  private final FirstRecordReader firstRecord = new FirstRecordReader();
  private RunList runs;
  private GapInspector behind;
  private Path endFile;
  private Path endFileBefore;
  private int endOffset;

  /** Whether a segment was left at a bad record, for a later one to go on. */
  private boolean isLeft;

  /**
   * @param directory the data directory
   */
  LogWalker(
      Path directory,
      RecordFrame frame,
      RecordValidator chain,
      EndClassifier verdict,
      ScanCounters tally,
      RecordHandler handler) {
    this.directory = directory;
    this.frame = frame;
    this.chain = chain;
    this.verdict = verdict;
    this.tally = tally;
    this.handler = handler;
  }

  /** The segment that it has come to, null if there is none. */
  Path endFile() {
    return endFile;
  }

  /** Where in it. */
  int endOffset() {
    return endOffset;
  }

  /**
   * Goes on from a place.
   *
   * @param start null if there is nothing to walk through
   */
  void go(RunList through, ScanStart start) {
    runs = through;
    behind = new GapInspector(runs, chain);
    if (start == null) {
      return;
    }
    chain.setDue(start.sequence());
    if (start.trouble() != null) {
      boolean isEmpty = start.run() == null;
      Path file = isEmpty ? directory : start.run().segments().get(start.segment()).file();
      verdict.damaged(file, isEmpty ? 0 : SegmentLayout.FIRST_RECORD_OFFSET, start.trouble());
      return;
    }
    chain.begin();
    endFile = null;
    isLeft = false;
    for (int index = runs.indexOf(start.run()); index < runs.size() && !verdict.isOver(); index++) {
      LogRun run = runs.log(index);
      goThroughRun(index, run.equals(start.run()) ? start : ScanStart.of(run, chain.due()));
    }
  }

  private void goThroughRun(int index, ScanStart start) {
    LogRun run = start.run();
    long limit = runs.limitOf(index, chain.logTag());
    if (run.firstSequence() >= limit) {
      return;
    }
    List<LogSegment> segments = run.segments();
    long number = start.isLeading() ? segments.get(start.segment()).number() : 0;
    for (int i = start.segment();
        i < segments.size() && chain.due() < limit && !verdict.isOver();
        i++) {
      LogSegment segment = segments.get(i);
      if (sequenceOf(segment) >= limit) {
        // Cut off with all that follows in the run.
        return;
      }
      boolean isPassed = sequenceOf(segment) == 0 && behind.isContinued(index, i);
      if (segment.number() != number && (isPassed || passesGap(segment, number))) {
        number = segment.number();
      }
      if (segment.number() != number) {
        String what = missingSegment(number, segment);
        verdict.damaged(run.directory(), 0, what, behind.from(index, i));
        return;
      }
      goThroughSegment(index, i, limit);
      number++;
    }
  }

  /** Whether segments are missing of which nothing is needed, or that never were. */
  private boolean passesGap(LogSegment next, long number) {
    long first = sequenceOf(next);
    if (first == chain.due()) {
      tally.warn(LogWarning.ofRenamed(next.file(), first, SegmentLayout.fileName(number)));
      return true;
    }
    return chain.mayGoOnWith(first);
  }

  /** The first record of a segment of this log, 0 if that is bad. */
  private long sequenceOf(LogSegment segment) {
    long first = firstRecord.sequenceOf(segment);
    Integer tag = chain.logTag();
    return first != 0 && tag != null && firstRecord.logTag() == tag ? first : 0;
  }

  private String missingSegment(long number, LogSegment next) {
    String what = "the segment %s is missing".formatted(SegmentLayout.fileName(number));
    long first = firstRecord.sequenceOf(next);
    return first > chain.due() ? what + ", " + chain.missing(first) : what;
  }

  private void goThroughSegment(int index, int segmentIndex, long limit) {
    RunHeader run = runs.head(index);
    LogSegment segment = run.log().segments().get(segmentIndex);
    try (SegmentReader bytes = new SegmentReader(segment)) {
      passToBeginOf(segment);
      Defect fault = segment.number() == 0 ? chain.faultOfRun(run) : null;
      endFileBefore = endFile;
      endFile = segment.file();
      endOffset = SegmentLayout.FIRST_RECORD_OFFSET;
      if (fault != null) {
        judgeRun(bytes, fault, index);
      } else {
        handler.onSegment(segment.file());
        if (isOlder(segment)) {
          String what = "it begins with record %d once more".formatted(sequenceOf(segment));
          verdict.misplaced(MisplacedFiles.of(segment.file(), sequenceOf(segment), what));
          return;
        }
        goThroughRecords(bytes, index, segmentIndex, limit);
        warnOfShort(bytes, index, segmentIndex);
      }
      boolean isEmpty = endOffset == SegmentLayout.FIRST_RECORD_OFFSET;
      if (isEmpty && chain.due() < limit && bytes.isForeign()) {
        verdict.misplaced(MisplacedFiles.of(segment.file(), 0, "it is no segment of a log"));
      }
      tally.readSegment(segment.file(), chain.due() - 1);
    }
  }

  /** Whether a segment that is not the first begins with a record that the files before it have. */
  private boolean isOlder(LogSegment segment) {
    long first = sequenceOf(segment);
    return endFileBefore != null && segment.number() > 0 && first != 0 && first < chain.due();
  }

  /** Passes over records in front of a segment that the snapshot holds. */
  private void passToBeginOf(LogSegment segment) {
    long first = sequenceOf(segment);
    if (!chain.mayGoOnWith(first)) {
      return;
    }
    if (!isLeft && endFile != null) {
      warn(endFile, endOffset, first - 1, chain.missing(first));
    }
    isLeft = false;
    chain.passTo(first, false);
  }

  /** Of a segment that holds nothing, and is shorter than any that a crash has left like that. */
  private void warnOfShort(SegmentReader bytes, int index, int segmentIndex) {
    boolean isLast = segmentIndex == runs.log(index).segments().size() - 1;
    boolean isBlank = endOffset == SegmentLayout.FIRST_RECORD_OFFSET && bytes.isBlank();
    if (isLast && isBlank && bytes.buffer().capacity() < SegmentLayout.endOfFile(endOffset)) {
      tally.warn(LogWarning.ofShortSegment(bytes.file(), bytes.buffer().capacity()));
    }
  }

  private void warn(Path file, int offset, long last, String what) {
    tally.warn(LogWarning.ofCovered(file, offset, chain.due(), last, chain.snapshot(), what));
  }

  /** A run that does not belong where it stands. */
  private void judgeRun(SegmentReader bytes, Defect fault, int index) {
    RunHeader run = runs.head(index);
    long first = run.log().firstSequence();
    if (run.isReadable() && first < chain.due()) {
      // Nothing but a cut goes back, and that is none.
      verdict.misplaced(MisplacedFiles.of(run.log().directory(), run.sequence(), fault.what()));
      return;
    }
    if (run.isReadable() || first >= chain.due()) {
      judge(bytes, withPlaceBefore(fault), behind.of(bytes, endOffset, index, 0, chain.due()));
      return;
    }
    // It can only have begun with a cut. If records lie behind that, they count, and not those that
    // it has cut off and that have been read.
    LaterRecords evidence = behind.of(bytes, endOffset, index, 0, first);
    judge(bytes, new Defect(fault.what(), evidence.hasRecords()), evidence);
  }

  /** Names the files around the place too, where one of those may be what is bad. */
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

  /** Names the file at whose end records are missing, too. */
  private Defect withPlaceBefore(Defect fault) {
    if (endFileBefore == null || endFileBefore.equals(endFile)) {
      return fault;
    }
    String run = endFileBefore.getParent().getFileName() + "/" + endFileBefore.getFileName();
    String end = chain.due() == 1 ? "has no record" : "ends with %d".formatted(chain.due() - 1);
    String what = "%s, and %s before it %s".formatted(fault.what(), run, end);
    return new Defect(what, fault.isDamage());
  }

  private void judge(SegmentReader bytes, Defect fault, LaterRecords evidence) {
    verdict.judge(bytes.file(), endOffset, fault, evidence);
  }

  private void goThroughRecords(SegmentReader bytes, int index, int segmentIndex, long limit) {
    Defect fault = goToFault(bytes, limit);
    while (fault != null && !isCleanEnd(bytes) && !isStray(bytes, index, segmentIndex)) {
      if (chain.isCovered() && !fault.isDamage()) {
        if (!passOver(bytes, fault, index, segmentIndex)) {
          return;
        }
        fault = goToFault(bytes, limit);
        continue;
      }
      LaterRecords evidence = behind.of(bytes, endOffset, index, segmentIndex, chain.due());
      // Beside a running engine: what was being written when it was looked at is whole by now if
      // something later is.
      if (!evidence.hasRecords() || chain.faultAt(bytes, endOffset) != null) {
        judge(bytes, placed(fault, index), evidence);
        return;
      }
      fault = goToFault(bytes, limit);
    }
  }

  /**
   * Passes over bad records that the snapshot holds.
   *
   * @return whether it goes on in this segment
   */
  private boolean passOver(SegmentReader bytes, Defect fault, int index, int segmentIndex) {
    Resynchronizer resumption = new Resynchronizer(frame, chain, bytes);
    if (resumption.find(endOffset)) {
      warn(bytes.file(), endOffset, resumption.sequence() - 1, fault.what());
      chain.passTo(resumption.sequence(), resumption.isProven());
      endOffset = resumption.offset();
      return true;
    }
    for (LogSegment later : runs.segmentsFrom(index, segmentIndex + 1)) {
      if (chain.mayGoOnWith(sequenceOf(later))) {
        warn(bytes.file(), endOffset, chain.due(), fault.what());
        isLeft = true;
        return false;
      }
    }
    LaterRecords evidence = behind.of(bytes, endOffset, index, segmentIndex, chain.due());
    judge(bytes, placed(fault, index), evidence);
    return false;
  }

  /** Gives out records up to one that is bad, and says why it is; null if the limit came first. */
  private Defect goToFault(SegmentReader bytes, long limit) {
    while (chain.due() < limit) {
      Defect fault = chain.faultAt(bytes, endOffset);
      if (fault != null) {
        return fault;
      }
      take(bytes);
      endOffset = Math.toIntExact(SegmentLayout.next(endOffset, frame.length()));
    }
    return null;
  }

  private void take(SegmentReader bytes) {
    if (chain.isBehindFloor()) {
      give(bytes);
    } else if (chain.isAtFloor()) {
      verdict.allowCutAt(chain.floor() + 1);
    }
    if (chain.spoiledPayload() != null && chain.isCovered()) {
      warn(bytes.file(), endOffset, chain.due(), chain.spoiledPayload());
    }
    chain.advance();
    tally.read(frame);
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
    tally.given(frame);
  }

  private boolean isCleanEnd(SegmentReader bytes) {
    boolean isClean = bytes.endsAt(endOffset);
    if (isClean && SegmentLayout.endOfFile(endOffset) < bytes.buffer().capacity()) {
      tally.loose(bytes.file(), endOffset);
    }
    return isClean;
  }

  /**
   * Whether bytes behind the last record of a segment matter to nobody: the next segment goes on
   * with the record that is due, and there is none like it here.
   */
  private boolean isStray(SegmentReader bytes, int index, int segmentIndex) {
    if (!behind.isContinued(index, segmentIndex)) {
      return false;
    }
    LaterRecords here = chain.evidence();
    here.search(bytes, endOffset);
    if (here.hasRecords()) {
      return false;
    }
    tally.stray(here.nonZeroBytes());
    return true;
  }
}
