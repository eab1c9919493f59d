package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.ClosedMark;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogMovedOnException;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.SegmentLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reads a log from its beginning, or from behind a record that a snapshot holds, to its end.
 *
 * <p>A record is given out only if it stands exactly where the one before it ended, has the next
 * sequence, the tag of the log, and both checksums right. Where that fails, what lies behind
 * decides: damage, or a tail that a crash has torn. A run that begins with a cut says where the
 * runs before it end; every other run says by its name how far the log could be read when it was
 * made, and so does the mark of a log that was closed: one that ends before that has lost records.
 *
 * <p>May read beside an engine that appends, rolls, removes old segments and closes: what looks
 * like damage is looked at again if the files have changed in between. One use, one thread.
 */
public final class LogScanner {
  /** How often damage is looked at again while the files change and nothing more can be read. */
  private static final int RETRIES_MAX = 3;

  /**
   * How often segments may be removed under this before it has read anything. An engine that rolls
   * and removes small segments is faster than a reader that is not given a processor, so this only
   * ends what would go on for ever.
   */
  private static final int REMOVALS_MAX = 1_000;

  private final LogDirectory directory;
  private final HolePolicy policy;
  private final RecordFrame frame = new RecordFrame();
  private final FirstRecord firstRecord = new FirstRecord();
  private final RunHeads heads = new RunHeads(frame);
  private final Map<Path, Long> read = new LinkedHashMap<>();
  private final Map<Path, Long> loose = new LinkedHashMap<>();

  private RecordHandler handler;
  private List<LogRun> listed;
  private List<RunHead> runs;
  private List<LogRun> witnesses;
  private ClosedMark mark;
  private Integer logTag;

  /** The record behind which this begins, 0 for the beginning of the log. */
  private long floor;

  private long floorLogTimeMs;
  private boolean isFloorMet;
  private long cutLeast = 2;

  private long expected = 1;
  private long records;
  private long firstSequence;
  private long lastLogTimeMs;
  private long forcedSequence;
  private long strayBytes;
  private Path endFile;
  private int endOffset;
  private TornTail tornTail;
  private Damage damage;

  public LogScanner(LogDirectory directory, HolePolicy policy) {
    this.directory = directory;
    this.policy = policy;
  }

  /**
   * Gives all good records that there are to the handler and says what was found: from the genesis
   * record on, or from a later one if retention has removed what was before it. Damage is in the
   * report and not thrown; what was given out before it was met are good records all the same.
   *
   * @throws LogException if a file cannot be read, or was written by a build that knows more
   * @throws LogMovedOnException if records were removed beside this after those before them had
   *     been given out
   */
  public ScanReport scan(RecordHandler to) {
    handler = to;
    return walk(this::firstThere);
  }

  /**
   * As {@link #scan}, but gives out only the records behind one that a snapshot holds. Segments
   * that lie wholly below it are not looked at. It is damage if the log does not hold that record,
   * or one of those behind it.
   *
   * @param sequence the last record that the snapshot holds; 0 for the whole log, which must then
   *     begin with its genesis record
   * @param tag the tag of the log; not looked at if the sequence is 0
   * @param logTimeMs the log time of that record; not looked at if the sequence is 0
   */
  public ScanReport scanAfter(long sequence, int tag, long logTimeMs, RecordHandler to) {
    handler = to;
    if (sequence == 0) {
      return walk(this::genesis);
    }
    logTag = tag;
    cutLeast = Long.MAX_VALUE;
    goOnBehind(sequence, logTimeMs);
    return walk(this::behindFloor);
  }

  private void goOnBehind(long sequence, long logTimeMs) {
    floor = sequence;
    floorLogTimeMs = logTimeMs;
    isFloorMet = false;
  }

  private ScanReport walk(Supplier<Start> beginning) {
    Supplier<Start> next = beginning;
    int retries = 0;
    int removals = 0;
    while (true) {
      long before = expected;
      boolean isGone = !walkOnce(next);
      if (!isGone && (damage == null || !hasChanged())) {
        return report();
      }
      boolean isFurther = expected > before;
      retries = isGone || isFurther ? 0 : retries + 1;
      removals = isFurther ? 0 : isGone ? removals + 1 : removals;
      if (retries > RETRIES_MAX || removals > REMOVALS_MAX) {
        return report();
      }
      if (records > 0) {
        goOnBehind(expected - 1, lastLogTimeMs);
        next = this::onwards;
      }
      damage = null;
      tornTail = null;
    }
  }

  /** False if a file was removed under the walk. */
  private boolean walkOnce(Supplier<Start> beginning) {
    try {
      // First: beside an engine that closes, what the mark names is then there to be read.
      mark = directory.closedMark();
      listed = directory.runs();
      walkFrom(beginning.get());
      checkReach();
      checkFloor();
      return true;
    } catch (SegmentGoneException e) {
      damage = damage(e.file(), 0, "the segment was removed while the log was read");
      return false;
    } catch (InternalError e) {
      // How a page of a mapped file that cannot be read shows itself.
      throw LogException.error(
          "Cannot read %s near offset %d, record %d: %s. The disk, or the file system, fails there."
              .formatted(endFile, endOffset, expected, e),
          e);
    }
  }

  private boolean hasChanged() {
    return !directory.runs().equals(listed) || hasBegunMeanwhile();
  }

  /** Whether a run whose first record was being written has it now. */
  private boolean hasBegunMeanwhile() {
    List<LogRun> unread =
        runs.stream().filter(head -> !head.isReadable()).map(RunHead::log).toList();
    return heads.of(unread).stream().anyMatch(RunHead::isReadable);
  }

  /** The whole log: from the last run that begins it. */
  private Start genesis() {
    reset(listed);
    expected = 1;
    RunHead first = null;
    for (RunHead head : runs) {
      if (head.sequence() == 1 && head.type() == RecordType.GENESIS) {
        first = head;
      }
    }
    if (first == null) {
      return runs.isEmpty() ? null : Start.of(runs.get(0).log(), 1);
    }
    logTag = first.logTag();
    // Those before can only be beginnings of which no record was ever good.
    for (RunHead before : runs.subList(0, runs.indexOf(first))) {
      if (before.isReadable()) {
        String what = "a log begins here, and once more in " + first.log().directory();
        damage = damage(before.log().directory(), 0, what);
      }
    }
    return Start.of(first.log(), 1);
  }

  /** The first record there is. */
  private Start firstThere() {
    reset(listed);
    if (runs.isEmpty() || isFromGenesis()) {
      return genesis();
    }
    runs.stream().filter(RunHead::isReadable).findFirst().ifPresent(h -> logTag = h.logTag());
    for (int index = 0; index < runs.size(); index++) {
      LogRun run = runs.get(index).log();
      long limit = limitOf(index);
      for (int i = 0; i < run.segments().size(); i++) {
        long first = firstRecord.sequenceOf(run.segments().get(i));
        if (first < limit) {
          cutLeast = first + 1;
          return first > 0
              ? Start.at(run, i, first)
              : Start.none(
                  run, i, run.firstSequence(), "the first segment that is left is damaged");
        }
      }
    }
    throw new AssertionError("a cut that nothing lies behind");
  }

  /** Whether the log still has its beginning, or has one that was never any good. */
  private boolean isFromGenesis() {
    LogRun first = runs.get(0).log();
    return (first.firstSequence() == 1 && first.segments().get(0).number() == 0)
        || runs.stream().anyMatch(h -> h.sequence() == 1 && h.type() == RecordType.GENESIS);
  }

  /** The segment with the record behind which to begin. */
  private Start behindFloor() {
    List<LogRun> filled = listed.stream().filter(run -> !run.segments().isEmpty()).toList();
    Start start = new StartFinder(filled, frame, logTag).find(floor);
    // Runs before that one are cut off by it, or lie below: nothing depends on them.
    reset(
        start.run() == null ? listed : listed.subList(listed.indexOf(start.run()), listed.size()));
    return start;
  }

  /** As {@link #behindFloor}, when the records up to there have been given out. */
  private Start onwards() {
    Start start = behindFloor();
    if (start.trouble() != null || !start.mayBegin(floor + 1)) {
      throw new LogMovedOnException(
          ("The log in %s has moved on while it was read: record %d was removed, as the engine"
                  + " needs it no more. Read again from the first record that is left; a reader that"
                  + " is registered is waited for.")
              .formatted(directory.directory(), floor + 1));
    }
    return start;
  }

  private void reset(List<LogRun> from) {
    witnesses = from;
    runs = heads.of(from);
    lastLogTimeMs = 0;
  }

  private void walkFrom(Start start) {
    if (start == null) {
      return;
    }
    expected = start.sequence();
    if (start.trouble() != null) {
      boolean isEmpty = start.run() == null;
      Path file =
          isEmpty ? directory.directory() : start.run().segments().get(start.segment()).file();
      damage = damage(file, isEmpty ? 0 : SegmentLayout.FIRST_RECORD_OFFSET, start.trouble());
      return;
    }
    if (expected > floor) {
      lastLogTimeMs = floorLogTimeMs;
    }
    for (int index = indexOf(start.run()); index < runs.size() && !isOver(); index++) {
      boolean isStart = runs.get(index).log().equals(start.run());
      walkRun(index, isStart ? start : Start.of(runs.get(index).log(), expected));
    }
  }

  /** Index of the run's head; 0 for one that never got a record, and so has none. */
  private int indexOf(LogRun run) {
    for (int index = 0; index < runs.size(); index++) {
      if (runs.get(index).log().equals(run)) {
        return index;
      }
    }
    return 0;
  }

  /** Whether the log reaches the record behind which to begin. */
  private void checkFloor() {
    if (damage != null || isFloorMet || expected > floor + 1 || floor == 0) {
      return;
    }
    String what = "the log ends before record %,d, which a snapshot of it holds".formatted(floor);
    endWith(endFile == null ? directory.directory() : endFile, what);
  }

  /** Whether the log still reaches as far as it did when its runs were made, or it was closed. */
  private void checkReach() {
    Witness witness = furthest();
    if (damage != null || witness == null || witness.lastSequence() < expected) {
      return;
    }
    String what = missing(witness.lastSequence() + 1) + "; " + witness.testimony();
    endWith(endFile == null ? witness.place() : endFile, what);
  }

  /** What looked like a good or torn end is none. */
  private void endWith(Path file, String what) {
    damage = damage(file, endOffset, tornTail == null ? what : tornTail.what() + "; " + what);
    tornTail = null;
  }

  /** The witness that says the most, null if none does; a cut takes back what was said before. */
  private Witness furthest() {
    // That of another log, left where this one was put, says nothing about it.
    boolean isOfOther = mark != null && logTag != null && mark.logTag() != logTag;
    Witness furthest = null;
    for (Witness each : Witness.of(witnesses, isOfOther ? null : mark, directory.directory())) {
      boolean isFurther = furthest == null || each.lastSequence() > furthest.lastSequence();
      if (isFurther || isCut(each.run())) {
        furthest = each;
      }
    }
    return furthest;
  }

  private boolean isCut(LogRun run) {
    return runs.stream().anyMatch(each -> each.log().equals(run) && each.cuts(logTag));
  }

  private Damage damage(Path file, long offset, String what) {
    return damage(file, offset, what, new Evidence(frame, expected, logTag));
  }

  private Damage damage(Path file, long offset, String what, Evidence behind) {
    return new Damage(
        directory.directory(),
        file,
        offset,
        expected,
        cutLeast,
        behind.records(),
        behind.lastSequence(),
        what,
        null);
  }

  /** What is missing in front of the record that is there next. */
  private String missing(long next) {
    return expected == next - 1
        ? "record %,d is missing".formatted(expected)
        : "records %,d to %,d are missing".formatted(expected, next - 1);
  }

  private boolean isOver() {
    return damage != null || tornTail != null;
  }

  private void walkRun(int index, Start start) {
    LogRun run = start.run();
    long limit = limitOf(index);
    List<LogSegment> segments = run.segments();
    long number = start.isLeading() ? segments.get(start.segment()).number() : 0;
    for (int i = start.segment(); i < segments.size() && expected < limit && !isOver(); i++) {
      LogSegment segment = segments.get(i);
      if (segment.number() != number) {
        String what = missingSegment(number, segment);
        damage = damage(run.directory(), 0, what, gather(index, i, expected));
        return;
      }
      walkSegment(index, i, limit);
      number++;
    }
  }

  private String missingSegment(long number, LogSegment next) {
    String what = "the segment %s is missing".formatted(SegmentLayout.fileName(number));
    long first = firstRecord.sequenceOf(next);
    return first > expected ? what + ", " + missing(first) : what;
  }

  /** The sequence at which a later run has cut this one off. */
  private long limitOf(int index) {
    long limit = Long.MAX_VALUE;
    for (RunHead later : runs.subList(index + 1, runs.size())) {
      if (later.cuts(logTag)) {
        limit = Math.min(limit, later.sequence());
      }
    }
    return limit;
  }

  private void walkSegment(int index, int segmentIndex, long limit) {
    RunHead run = runs.get(index);
    LogSegment segment = run.log().segments().get(segmentIndex);
    try (SegmentBytes bytes = new SegmentBytes(segment)) {
      Fault fault = segment.number() == 0 ? faultOfRun(run) : null;
      endFile = segment.file();
      endOffset = SegmentLayout.FIRST_RECORD_OFFSET;
      if (fault != null) {
        judgeRun(bytes, fault, index);
      } else {
        handler.onSegment(segment.file());
        walkRecords(bytes, index, segmentIndex, limit);
      }
      read.put(segment.file(), expected - 1);
    }
  }

  /** A run that does not belong where it stands. */
  private void judgeRun(SegmentBytes bytes, Fault fault, int index) {
    RunHead run = runs.get(index);
    long first = run.log().firstSequence();
    if (run.isReadable() || first >= expected) {
      judge(bytes, fault, gather(bytes, index, 0, expected));
      return;
    }
    // It can only have begun with a cut. If records lie behind that, they count, and not those that
    // it has cut off and that have been read.
    Evidence evidence = gather(bytes, index, 0, first);
    judge(bytes, new Fault(fault.what, evidence.hasRecords()), evidence);
  }

  private void walkRecords(SegmentBytes bytes, int index, int segmentIndex, long limit) {
    Fault fault = walkToFault(bytes, limit);
    while (fault != null && !isCleanEnd(bytes) && !isStray(bytes, index, segmentIndex)) {
      Evidence evidence = gather(bytes, index, segmentIndex, expected);
      // Beside a running engine: what was being written when it was looked at is whole by now if
      // something later is.
      if (!evidence.hasRecords() || faultAt(bytes, endOffset) != null) {
        judge(bytes, fault, evidence);
        return;
      }
      fault = walkToFault(bytes, limit);
    }
  }

  private boolean isCleanEnd(SegmentBytes bytes) {
    boolean isClean = bytes.endsAt(endOffset);
    if (isClean && SegmentLayout.endOfFile(endOffset) < bytes.buffer().capacity()) {
      loose.put(bytes.file(), (long) endOffset);
    }
    return isClean;
  }

  /** Gives out records up to one that is bad, and says why it is; null if the limit came first. */
  private Fault walkToFault(SegmentBytes bytes, long limit) {
    while (expected < limit) {
      Fault fault = faultAt(bytes, endOffset);
      if (fault != null) {
        return fault;
      }
      take(bytes, endOffset);
      endOffset = Math.toIntExact(SegmentLayout.next(endOffset, frame.length()));
    }
    return null;
  }

  /** What is wrong with the place of a run in the log, null if nothing. */
  private Fault faultOfRun(RunHead run) {
    long first = run.log().firstSequence();
    boolean isReadable = run.isReadable();
    if (isReadable && run.sequence() != first) {
      String what = "the run is named for record %d and begins with %d";
      return new Fault(what.formatted(first, run.sequence()), true);
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
    if (fault == RecordFault.PAYLOAD_CRC && expected < floor) {
      // Where it ends is known by its header; what it said is in the snapshot.
      fault = RecordFault.NONE;
    }
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
    if (expected == floor && frame.logTimeMs() != floorLogTimeMs) {
      String what = "its log time is %d, the snapshot that holds it says %d";
      return new Fault(what.formatted(frame.logTimeMs(), floorLogTimeMs), true);
    }
    if (frame.logTimeMs() < lastLogTimeMs) {
      String what = "its log time is %d, that of the record before %d";
      return new Fault(what.formatted(frame.logTimeMs(), lastLogTimeMs), true);
    }
    return null;
  }

  private void take(SegmentBytes bytes, int offset) {
    if (expected > floor) {
      give(bytes, offset);
    } else if (expected == floor) {
      isFloorMet = true;
      cutLeast = Math.min(cutLeast, floor + 1);
    }
    expected++;
    lastLogTimeMs = frame.logTimeMs();
    forcedSequence = Math.max(forcedSequence, frame.forcedSequence());
  }

  private void give(SegmentBytes bytes, int offset) {
    handler.onRecord(
        frame.type(),
        frame.sequence(),
        frame.logTimeMs(),
        frame.payloadCrc(),
        bytes.buffer(),
        offset + RecordFrame.HEADER_BYTES,
        frame.payloadLength());
    if (records == 0) {
      firstSequence = frame.sequence();
    }
    records++;
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
    List<LogSegment> segments = runs.get(index).log().segments();
    if (segmentIndex + 1 < segments.size()) {
      try (SegmentBytes next = new SegmentBytes(segments.get(segmentIndex + 1))) {
        return next.check(frame, SegmentLayout.FIRST_RECORD_OFFSET) == RecordFault.NONE
            && faultOfValid() == null;
      }
    }
    return index + 1 < runs.size() && runs.get(index + 1).sequence() == expected;
  }

  /**
   * What lies behind the place where a record should begin and does not.
   *
   * @param bad the record from which on others count
   */
  private Evidence gather(SegmentBytes bytes, int index, int segmentIndex, long bad) {
    Evidence evidence = new Evidence(frame, bad, logTag);
    evidence.search(bytes, endOffset);
    return gather(evidence, index, segmentIndex + 1);
  }

  /** What lies in a segment that should not come next, and behind it. */
  private Evidence gather(int index, int segmentIndex, long bad) {
    return gather(new Evidence(frame, bad, logTag), index, segmentIndex);
  }

  private Evidence gather(Evidence evidence, int index, int segmentIndex) {
    List<LogSegment> segments = runs.get(index).log().segments();
    List<LogSegment> behind = new ArrayList<>(segments.subList(segmentIndex, segments.size()));
    for (RunHead later : runs.subList(index + 1, runs.size())) {
      behind.addAll(later.log().segments());
    }
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
            || expected <= floor
            || evidence.provesForced()
            || (policy == HolePolicy.REFUSE && evidence.hasRecords());
    if (isDamage) {
      String what = evidence.hasRecords() ? fault.what + "; " + evidence.describe() : fault.what;
      damage = damage(bytes.file(), endOffset, what, evidence);
    } else {
      long dropped = evidence.nonZeroBytes();
      tornTail = new TornTail(expected - 1, bytes.file(), endOffset, dropped, fault.what);
    }
  }

  private ScanReport report() {
    List<Path> unforced = new ArrayList<>();
    read.forEach(
        (file, lastSequence) -> {
          if (lastSequence > forcedSequence) {
            unforced.add(file);
          }
        });
    return new ScanReport(
        records,
        firstSequence,
        expected - 1,
        lastLogTimeMs,
        forcedSequence,
        logTag == null ? 0 : logTag,
        read.size(),
        endFile,
        endOffset,
        strayBytes,
        unforced,
        loose,
        tornTail,
        damage);
  }

  /** What is wrong, and whether no crash could have done it. */
  private record Fault(String what, boolean isDamage) {}
}
