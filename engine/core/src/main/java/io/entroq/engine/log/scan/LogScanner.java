package io.entroq.engine.log.scan;

import io.entroq.codec.command.CutDecoder;
import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.SegmentLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a log from its beginning to its end.
 *
 * <p>A record is given out only if it stands exactly where the one before it ended, has the next
 * sequence, the tag that the first record set, and both checksums right. Where that fails, what
 * lies behind decides: damage, or a tail that a crash has torn. A run that begins with a cut says
 * where the runs before it end; every other run says by its name how far the log could be read when
 * it was made, and a log that ends before that has lost records. One use, one thread.
 */
public final class LogScanner {
  private final Path directory;
  private final List<LogRun> allRuns;
  private final HolePolicy policy;
  private final RecordFrame frame = new RecordFrame();
  private final CutDecoder cut = new CutDecoder();
  private final List<Run> runs = new ArrayList<>();
  private final List<Read> read = new ArrayList<>();

  private RecordHandler handler;
  private Integer logTag;
  private long expected = 1;
  private long records;
  private long lastLogTimeMs;
  private long forcedSequence;
  private long strayBytes;
  private Path endFile;
  private int endOffset;
  private TornTail tornTail;
  private Damage damage;

  public LogScanner(LogDirectory directory, HolePolicy policy) {
    this.directory = directory.directory();
    this.allRuns = directory.runs();
    this.policy = policy;
  }

  /**
   * Gives all good records to the handler and says what was found. Damage is in the report and not
   * thrown; what was given out before it was met are good records all the same.
   *
   * @throws LogException if a file cannot be read, or was written by a build that knows more
   */
  public ScanReport scan(RecordHandler to) {
    handler = to;
    for (LogRun run : allRuns) {
      Run looked = look(run);
      if (looked != null) {
        runs.add(looked);
      }
    }
    int first = firstRun();
    try {
      for (int index = first; index < runs.size() && !isOver(); index++) {
        walkRun(index);
      }
    } catch (InternalError e) {
      // How a page of a mapped file that cannot be read shows itself.
      throw LogException.error(
          "Cannot read %s near offset %d, record %d: %s. The disk, or the file system, fails there."
              .formatted(endFile, endOffset, expected, e),
          e);
    }
    checkNames();
    return report();
  }

  /** Whether the log still reaches as far as it did when its runs were made. */
  private void checkNames() {
    LogRun witness = furthest();
    if (damage != null || witness == null || witness.firstSequence() <= expected) {
      return;
    }
    String what =
        "%s; %s was made when the log could be read up to %,d"
            .formatted(
                missing(witness.firstSequence()),
                witness.directory().getFileName(),
                witness.firstSequence() - 1);
    Path file = endFile == null ? witness.directory() : endFile;
    damage = damage(file, endOffset, tornTail == null ? what : tornTail.what() + "; " + what);
    tornTail = null;
  }

  /** The run whose name says the most, null if none does; a cut takes back what was said before. */
  private LogRun furthest() {
    LogRun furthest = null;
    for (LogRun run : allRuns) {
      boolean isFurther = furthest == null || run.firstSequence() > furthest.firstSequence();
      if (isFurther || isCut(run)) {
        furthest = run;
      }
    }
    return furthest;
  }

  private boolean isCut(LogRun run) {
    return runs.stream().anyMatch(each -> each.log.equals(run) && isCut(each));
  }

  /** Whether a run begins with a cut of this log. */
  private boolean isCut(Run run) {
    return run.isCut
        && run.sequence == run.log.firstSequence()
        && logTag != null
        && run.logTag == logTag;
  }

  private Damage damage(Path file, long offset, String what) {
    return new Damage(directory, file, offset, expected, what);
  }

  /** What is missing in front of the record that is there next. */
  private String missing(long next) {
    return expected == next - 1
        ? "record %,d is missing".formatted(expected)
        : "records %,d to %,d are missing".formatted(expected, next - 1);
  }

  /** A run and the record that it begins with; null for one that never got a record. */
  private Run look(LogRun run) {
    if (run.segments().isEmpty()) {
      return null;
    }
    try (SegmentBytes segment = new SegmentBytes(run.segments().get(0))) {
      RecordFault fault = segment.check(frame, SegmentLayout.FIRST_RECORD_OFFSET);
      if (fault == RecordFault.NONE) {
        boolean isCut = frame.type() == RecordType.CUT && isWellFormedCut(segment);
        return new Run(run, frame.sequence(), frame.type(), frame.logTag(), isCut);
      }
      boolean isBlank = run.segments().size() == 1 && segment.isBlank();
      return isBlank ? null : new Run(run, 0, 0, 0, false);
    }
  }

  /** Whether the cut at the head of a run names the record before it as the last good one. */
  private boolean isWellFormedCut(SegmentBytes segment) {
    try {
      int payload = SegmentLayout.FIRST_RECORD_OFFSET + RecordFrame.HEADER_BYTES;
      cut.wrap(segment.buffer(), payload, frame.payloadLength());
      return cut.afterSequence() + 1 == frame.sequence();
    } catch (MalformedMessageException e) {
      return false;
    }
  }

  /**
   * Where the log begins: at the last run that begins it. Those before can only be beginnings of
   * which no record was ever good.
   */
  private int firstRun() {
    int first = 0;
    for (int index = 0; index < runs.size(); index++) {
      if (runs.get(index).sequence == 1 && runs.get(index).type == RecordType.GENESIS) {
        first = index;
        logTag = runs.get(index).logTag;
      }
    }
    for (Run before : runs.subList(0, first)) {
      if (before.sequence != 0) {
        String what = "a log begins here, and once more in " + runs.get(first).log.directory();
        damage = damage(before.log.directory(), 0, what);
      }
    }
    return first;
  }

  private boolean isOver() {
    return damage != null || tornTail != null;
  }

  private void walkRun(int index) {
    LogRun run = runs.get(index).log;
    long limit = limitOf(index);
    if (expected >= limit) {
      return;
    }
    List<LogSegment> segments = run.segments();
    for (int i = 0; i < segments.size() && expected < limit && !isOver(); i++) {
      LogSegment segment = segments.get(i);
      if (segment.number() != i) {
        damage = damage(run.directory(), 0, missingSegment(i, segment));
        return;
      }
      walkSegment(index, i, limit);
    }
  }

  private String missingSegment(int number, LogSegment next) {
    String what = "the segment %s is missing".formatted(SegmentLayout.fileName(number));
    try (SegmentBytes bytes = new SegmentBytes(next)) {
      boolean isKnown = bytes.check(frame, SegmentLayout.FIRST_RECORD_OFFSET) == RecordFault.NONE;
      boolean isLater = isKnown && frame.sequence() > expected;
      return isLater ? what + ", " + missing(frame.sequence()) : what;
    }
  }

  /** The sequence at which a later run has cut this one off. */
  private long limitOf(int index) {
    long limit = Long.MAX_VALUE;
    for (Run later : runs.subList(index + 1, runs.size())) {
      if (isCut(later)) {
        limit = Math.min(limit, later.sequence);
      }
    }
    return limit;
  }

  private void walkSegment(int index, int segmentIndex, long limit) {
    Run run = runs.get(index);
    Path file = run.log.segments().get(segmentIndex).file();
    try (SegmentBytes bytes = new SegmentBytes(run.log.segments().get(segmentIndex))) {
      Fault fault = segmentIndex == 0 ? faultOfRun(run) : null;
      endFile = file;
      endOffset = SegmentLayout.FIRST_RECORD_OFFSET;
      if (fault != null) {
        judge(bytes, fault, gather(bytes, index, segmentIndex));
      } else {
        handler.onSegment(file);
        walkRecords(bytes, index, segmentIndex, limit);
      }
      read.add(new Read(file, expected - 1));
    }
  }

  private void walkRecords(SegmentBytes bytes, int index, int segmentIndex, long limit) {
    Fault fault = walkToFault(bytes, limit);
    while (fault != null && !bytes.endsAt(endOffset) && !isStray(bytes, index, segmentIndex)) {
      Evidence evidence = gather(bytes, index, segmentIndex);
      // Beside a running engine: what was being written when it was looked at is whole by now if
      // something later is.
      if (!evidence.hasRecords() || faultAt(bytes, endOffset) != null) {
        judge(bytes, fault, evidence);
        return;
      }
      fault = walkToFault(bytes, limit);
    }
  }

  /** Gives out records up to one that is bad, and says why it is; null if the limit came first. */
  private Fault walkToFault(SegmentBytes bytes, long limit) {
    while (expected < limit) {
      Fault fault = faultAt(bytes, endOffset);
      if (fault != null) {
        return fault;
      }
      deliver(bytes, endOffset);
      endOffset = Math.toIntExact(SegmentLayout.next(endOffset, frame.length()));
    }
    return null;
  }

  /** What is wrong with the place of a run in the log, null if nothing. */
  private Fault faultOfRun(Run run) {
    long first = run.log.firstSequence();
    boolean isReadable = run.sequence != 0;
    if (isReadable && run.sequence != first) {
      String what = "the run is named for record %d and begins with %d";
      return new Fault(what.formatted(first, run.sequence), true);
    }
    if (first > expected) {
      return new Fault(missing(first) + ": the run begins with %d".formatted(first), isReadable);
    }
    if (first < expected) {
      return new Fault("the run begins with %d once more".formatted(first), isReadable);
    }
    return null;
  }

  /** What is wrong with the record that should begin at the offset, null if nothing. */
  private Fault faultAt(SegmentBytes bytes, int offset) {
    RecordFault fault = bytes.check(frame, offset);
    if (fault == RecordFault.UNSUPPORTED) {
      throw LogException.error(
          "Record %d in %s at offset %d: %s. Use that build."
              .formatted(expected, bytes.file(), offset, bytes.describe(frame, fault, offset)));
    }
    if (fault != RecordFault.NONE) {
      return new Fault(bytes.describe(frame, fault, offset), false);
    }
    return faultOfValid();
  }

  private Fault faultOfValid() {
    if (logTag == null) {
      return new Fault("the log does not begin with a genesis record", true);
    }
    if (frame.logTag() != logTag) {
      return new Fault("a record of another log", true);
    }
    if (frame.sequence() != expected) {
      boolean isOlder = frame.sequence() < expected;
      String there = "record %d stands there".formatted(frame.sequence());
      return new Fault(isOlder ? there : missing(frame.sequence()) + ": " + there, isOlder);
    }
    if (frame.logTimeMs() < lastLogTimeMs) {
      String what = "its log time is %d, that of the record before %d";
      return new Fault(what.formatted(frame.logTimeMs(), lastLogTimeMs), true);
    }
    return null;
  }

  private void deliver(SegmentBytes bytes, int offset) {
    handler.onRecord(
        frame.type(),
        frame.sequence(),
        frame.logTimeMs(),
        frame.payloadCrc(),
        bytes.buffer(),
        offset + RecordFrame.HEADER_BYTES,
        frame.payloadLength());
    records++;
    expected++;
    lastLogTimeMs = frame.logTimeMs();
    forcedSequence = Math.max(forcedSequence, frame.forcedSequence());
  }

  /**
   * Whether bytes behind the last record of a segment matter to nobody: the next segment goes on
   * with the record that is due, and there is none like it here.
   */
  private boolean isStray(SegmentBytes bytes, int index, int segmentIndex) {
    if (!isContinuedBehind(index, segmentIndex)) {
      return false;
    }
    Evidence here = new Evidence(frame, expected, logTag);
    here.search(bytes, endOffset);
    if (here.hasRecords()) {
      return false;
    }
    strayBytes += here.nonZeroBytes();
    return true;
  }

  private boolean isContinuedBehind(int index, int segmentIndex) {
    List<LogSegment> segments = runs.get(index).log.segments();
    if (segmentIndex + 1 < segments.size()) {
      try (SegmentBytes next = new SegmentBytes(segments.get(segmentIndex + 1))) {
        return next.check(frame, SegmentLayout.FIRST_RECORD_OFFSET) == RecordFault.NONE
            && faultOfValid() == null;
      }
    }
    return index + 1 < runs.size() && runs.get(index + 1).sequence == expected;
  }

  /** What lies behind the place where a record should begin and does not. */
  private Evidence gather(SegmentBytes bytes, int index, int segmentIndex) {
    List<LogSegment> segments = runs.get(index).log.segments();
    List<LogSegment> behind = new ArrayList<>(segments.subList(segmentIndex + 1, segments.size()));
    for (Run later : runs.subList(index + 1, runs.size())) {
      behind.addAll(later.log.segments());
    }
    Evidence evidence = new Evidence(frame, expected, logTag);
    evidence.search(bytes, endOffset);
    for (LogSegment segment : behind) {
      try (SegmentBytes later = new SegmentBytes(segment)) {
        evidence.search(later, SegmentLayout.FIRST_RECORD_OFFSET);
      }
    }
    return evidence;
  }

  private void judge(SegmentBytes bytes, Fault fault, Evidence evidence) {
    boolean isDamage =
        fault.isDamage
            || evidence.provesForced()
            || (policy == HolePolicy.REFUSE && evidence.hasRecords());
    if (isDamage) {
      String what = evidence.hasRecords() ? fault.what + "; " + evidence.describe() : fault.what;
      damage = damage(bytes.file(), endOffset, what);
    } else {
      long dropped = evidence.nonZeroBytes();
      tornTail = new TornTail(expected - 1, bytes.file(), endOffset, dropped, fault.what);
    }
  }

  private ScanReport report() {
    List<Path> unforced = new ArrayList<>();
    for (Read segment : read) {
      if (segment.lastSequence > forcedSequence) {
        unforced.add(segment.file);
      }
    }
    return new ScanReport(
        records,
        expected - 1,
        lastLogTimeMs,
        forcedSequence,
        logTag == null ? 0 : logTag,
        read.size(),
        endFile,
        endOffset,
        strayBytes,
        unforced,
        tornTail,
        damage);
  }

  /** A run and what its first record says, zeros if that one is bad. */
  private record Run(LogRun log, long sequence, int type, int logTag, boolean isCut) {}

  /** A segment that was read and the last sequence up to its end. */
  private record Read(Path file, long lastSequence) {}

  /** What is wrong, and whether no crash could have done it. */
  private record Fault(String what, boolean isDamage) {}
}
