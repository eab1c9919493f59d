package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds files in the wrong place by the first records of all segments. Within a run these ascend. A
 * run begins with the record in its name, and after everything in earlier runs unless it begins
 * with a cut. Segments whose first record is bad are skipped. Not thread-safe.
 */
final class PlacementCheck {
  private final FirstRecordReader firstRecord = new FirstRecordReader();
  private final List<LogRun> listed;
  private final List<RunHeader> heads;
  private final int logTag;

  /** The last record in the snapshot; 0 if there is none. */
  private final long snapshot;

  /** First records of segments, each with the last well-ordered run that has it. */
  private final Map<First, RunHeader> lastWith = new HashMap<>();

  private final List<First[]> firstsOfRuns = new ArrayList<>();

  /** The highest first record in the runs before the current one. */
  private long last;

  /** The segment with that record. */
  private Path lastPlace;

  /**
   * @param heads headers of the runs that ever got a record
   * @param snapshot the last record in the snapshot; 0 if there is none
   */
  PlacementCheck(List<LogRun> listed, List<RunHeader> heads, int logTag, long snapshot) {
    this.listed = listed;
    this.heads = heads;
    this.logTag = logTag;
    this.snapshot = snapshot;
  }

  /** The first record of a segment, all zeros if it is bad. */
  private record First(long sequence, long logTimeMs, int logTag, int payloadCrc) {
    static final First NONE = new First(0, 0, 0, 0);
  }

  private void readFirsts() {
    for (RunHeader head : heads) {
      List<LogSegment> segments = head.log().segments();
      First[] firsts = new First[segments.size()];
      for (int i = 0; i < firsts.length; i++) {
        firsts[i] = first(segments.get(i));
      }
      firstsOfRuns.add(firsts);
      if (isInOrder(head, firsts)) {
        Arrays.stream(firsts)
            .filter(first -> first.sequence > 0)
            .forEach(first -> lastWith.put(first, head));
      }
    }
  }

  private static boolean isInOrder(RunHeader head, First[] firsts) {
    long before = head.log().firstSequence() - 1;
    long timeMs = 0;
    for (First first : firsts) {
      if (first.sequence > 0 && (first.sequence <= before || first.logTimeMs < timeMs)) {
        return false;
      }
      before = Math.max(before, first.sequence);
      timeMs = Math.max(timeMs, first.logTimeMs);
    }
    return !head.isBegun() || head.sequence() == head.log().firstSequence();
  }

  private First first(LogSegment segment) {
    long sequence = firstRecord.sequenceOf(segment);
    return sequence == 0
        ? First.NONE
        : new First(
            sequence, firstRecord.logTimeMs(), firstRecord.logTag(), firstRecord.payloadCrc());
  }

  /** The first misplaced file; null if there is none. */
  MisplacedFiles find() {
    for (int index = 1; index < listed.size(); index++) {
      LogRun before = listed.get(index - 1);
      LogRun run = listed.get(index);
      if (run.number() == before.number()) {
        // The one that begins with the record in its name is right.
        LogRun other = isAsNamed(run) && !isAsNamed(before) ? before : run;
        LogRun right = other.equals(run) ? before : run;
        String what = "%s has the same number".formatted(right.directory().getFileName());
        return MisplacedFiles.of(other.directory(), other.firstSequence(), what);
      }
    }
    readFirsts();
    MisplacedFiles found = null;
    for (int index = firstBegun(); found == null && index < heads.size(); index++) {
      found = inRun(index);
    }
    return found;
  }

  /**
   * Finds a segment in a part that was cut off with which the log continues after its end: it was
   * moved there from a later run.
   *
   * @param due the record after the last one
   * @param lastLogTimeMs log time of the last one
   * @return null if there is none
   */
  MisplacedFiles findBehind(long due, long lastLogTimeMs) {
    for (int index = 0; index < heads.size(); index++) {
      List<LogSegment> segments = heads.get(index).log().segments();
      // A record discarded right at the cut proves nothing, because no time had passed.
      boolean isCut = due > cutOf(index) + 1 && cutOf(index) != Long.MAX_VALUE;
      for (int i = 1; isCut && i < segments.size(); i++) {
        First first = first(segments.get(i));
        if (first.sequence == due
            && first.logTag == logTag
            && first.logTimeMs >= lastLogTimeMs
            && !endsWith(segments.get(i - 1), due - 1)) {
          String what = "it begins with record %d, with which the log continues".formatted(due);
          return MisplacedFiles.of(segments.get(i).file(), due, what);
        }
      }
    }
    return null;
  }

  /** Whether the consecutive good records of a segment end with this one. */
  private boolean endsWith(LogSegment segment, long sequence) {
    RecordFrame frame = new RecordFrame();
    long last = 0;
    try (SegmentReader bytes = new SegmentReader(segment)) {
      int at = SegmentLayout.FIRST_RECORD_OFFSET;
      while (bytes.check(frame, at) == RecordFault.NONE) {
        last = frame.sequence();
        at = Math.toIntExact(SegmentLayout.next(at, frame.length()));
      }
    }
    return last == sequence;
  }

  private boolean isAsNamed(LogRun run) {
    return heads.stream()
        .anyMatch(head -> head.log().equals(run) && head.sequence() == run.firstSequence());
  }

  /** Skips runs without any good record before the beginning of the log. */
  private int firstBegun() {
    int index = 0;
    while (index < heads.size() && !heads.get(index).isReadable()) {
      index++;
    }
    boolean isBeginning = index < heads.size() && heads.get(index).type() == RecordType.GENESIS;
    return isBeginning ? index : 0;
  }

  private MisplacedFiles inRun(int index) {
    RunHeader head = heads.get(index);
    List<LogSegment> segments = head.log().segments();
    long[] firsts = new long[segments.size()];
    long[] times = new long[segments.size()];
    for (int i = 0; i < firsts.length; i++) {
      First first = firstsOfRuns.get(index)[i];
      firsts[i] = i == 0 ? head.sequence() : first.sequence;
      times[i] = first.logTimeMs;
      if (first.sequence != 0 && firsts[i] != 0 && first.logTag != logTag) {
        String what = "it begins with a record of another log";
        Path place = isOfOther(index) ? head.log().directory() : segments.get(i).file();
        return MisplacedFiles.of(place, firsts[i], what);
      }
    }
    if (!head.isBegun() && head.isReadable() && head.sequence() <= last) {
      String what =
          "it continues with record %d, and %s before it begins with %d"
              .formatted(head.sequence(), lastPlace, last);
      return MisplacedFiles.of(head.log().directory(), head.sequence(), what);
    }
    MisplacedFiles found = head.isBegun() ? ofBegun(index, firsts) : null;
    return found == null ? inOrder(index, firsts, times) : found;
  }

  private boolean isOfOther(int index) {
    return Arrays.stream(firstsOfRuns.get(index))
        .noneMatch(first -> first.sequence != 0 && first.logTag == logTag);
  }

  private MisplacedFiles ofBegun(int index, long[] firsts) {
    RunHeader head = heads.get(index);
    LogRun run = head.log();
    if (head.sequence() != run.firstSequence()) {
      boolean isOneOfMany = Arrays.stream(firsts).skip(1).anyMatch(first -> isIn(index, first));
      return MisplacedFiles.of(
          isOneOfMany ? run.segments().get(0).file() : run.directory(),
          head.sequence(),
          "the run is named for record %d and begins with %d"
              .formatted(run.firstSequence(), head.sequence()));
    }
    if (head.cuts(logTag)) {
      return ofCut(index);
    }
    if (head.sequence() <= last) {
      String what =
          head.type() == RecordType.GENESIS
              ? "a log begins here, and again in %s".formatted(lastPlace.getParent())
              : "the run begins with record %d, and %s before it with %d"
                  .formatted(head.sequence(), lastPlace, last);
      return MisplacedFiles.of(run.directory(), head.sequence(), what);
    }
    return null;
  }

  /** A cut must follow the run whose end it cuts off, with no good run in between. */
  private MisplacedFiles ofCut(int index) {
    RunHeader cut = heads.get(index);
    if (cut.cutRun() == 0) {
      return null;
    }
    boolean isBefore = cut.cutRun() >= cut.log().number();
    for (RunHeader between : heads.subList(0, index)) {
      isBefore |= between.log().number() > cut.cutRun() && between.isBegun();
    }
    String what = "it cuts off the end of run %d but does not follow it".formatted(cut.cutRun());
    return isBefore ? MisplacedFiles.of(cut.log().directory(), cut.sequence(), what) : null;
  }

  /** Whether a segment after the run's first may begin with the record. */
  private boolean isIn(int index, long first) {
    return first > heads.get(index).log().firstSequence() && first < endOf(index, first);
  }

  /** Whether a segment is a copy of one in a later run that is named for an earlier record. */
  private boolean isOfLater(int index, int segment) {
    First first = firstsOfRuns.get(index)[segment];
    LogRun run = heads.get(index).log();
    RunHeader with = lastWith.get(first);
    return with != null
        && with.log().number() > run.number()
        && with.log().firstSequence() > run.firstSequence()
        && with.log().firstSequence() <= first.sequence
        && !isCutOff(index, first.sequence);
  }

  /**
   * Whether a later run cuts off the record. Segments in both may then begin with the same record,
   * because a mirror writes the same commands again.
   */
  private boolean isCutOff(int index, long sequence) {
    return heads.subList(index + 1, heads.size()).stream()
        .anyMatch(later -> later.cuts(logTag) && later.sequence() <= sequence);
  }

  /**
   * The first record of the next run that is not a cut. A run named for a record at or below the
   * first record of an earlier segment can only have begun with a cut.
   */
  private long endOf(int index, long least) {
    long begin = heads.get(index).log().firstSequence();
    for (RunHeader next : heads.subList(index + 1, heads.size())) {
      long first = next.log().firstSequence();
      boolean isSpoiledCut = !next.isReadable() && first <= least && first <= snapshot;
      if (next.cuts(logTag) || isSpoiledCut) {
        return Long.MAX_VALUE;
      }
      if (next.isBegun() && next.logTag() == logTag && next.sequence() == first && first > begin) {
        return first;
      }
    }
    return Long.MAX_VALUE;
  }

  /** The lowest record at which a later run cuts this one off. */
  private long cutOf(int index) {
    return heads.subList(index + 1, heads.size()).stream()
        .filter(later -> later.cuts(logTag))
        .mapToLong(RunHeader::sequence)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The lowest record that a later run is named for; records from there may be that run's. */
  private long nameBehind(int index) {
    long begin = heads.get(index).log().firstSequence();
    return heads.subList(index + 1, heads.size()).stream()
        .mapToLong(later -> later.log().firstSequence())
        .filter(first -> first > begin)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private MisplacedFiles inOrder(int index, long[] firsts, long[] times) {
    RunHeader head = heads.get(index);
    List<LogSegment> segments = head.log().segments();
    boolean[] isIn = new boolean[firsts.length];
    for (int i = 0; i < firsts.length; i++) {
      boolean isFirst = i == 0 && head.isBegun();
      boolean isLater = !head.isBegun() || times[i] >= times[0];
      isIn[i] =
          firsts[i] != 0
              && (isFirst || (isIn(index, firsts[i]) && isLater && !isOfLater(index, i)));
    }
    boolean[] goesUp = LongestIncreasingSubsequence.longest(firsts, isIn);
    List<Path> files = new ArrayList<>();
    int firstBad = -1;
    long before = head.cuts(logTag) ? 0 : last;
    for (int i = 0; i < firsts.length; i++) {
      if (goesUp[i]) {
        if (firsts[i] > before) {
          before = firsts[i];
          lastPlace = segments.get(i).file();
        }
      } else if (firsts[i] != 0) {
        firstBad = firstBad < 0 ? i : firstBad;
        files.add(segments.get(i).file());
      }
    }
    last = before;
    if (firstBad < 0) {
      return null;
    }
    String what =
        "it begins with record %d, %s".formatted(firsts[firstBad], why(index, firsts, firstBad));
    return new MisplacedFiles(files, firsts[firstBad], what, rightName(index, firsts, firstBad));
  }

  private String why(int index, long[] firsts, int bad) {
    List<LogSegment> segments = heads.get(index).log().segments();
    for (int i = 0; i < firsts.length; i++) {
      if (i != bad && firsts[i] == firsts[bad]) {
        return "as %s does".formatted(segments.get(i).file().getFileName());
      }
    }
    if (isOfLater(index, bad)) {
      RunHeader with = lastWith.get(firstsOfRuns.get(index)[bad]);
      return "as a segment of %s does".formatted(with.log().directory().getFileName());
    }
    return isIn(index, firsts[bad])
        ? "which is out of order between its neighbors"
        : "which its run cannot contain";
  }

  /** The right name if the run's segments are complete but misnamed; otherwise null. */
  private String rightName(int index, long[] firsts, int segment) {
    LogRun run = heads.get(index).log();
    long[] sorted = Arrays.stream(firsts).sorted().toArray();
    boolean areDistinct = Arrays.stream(sorted).distinct().count() == sorted.length;
    boolean isBegun = sorted[0] == run.firstSequence();
    if (!areDistinct
        || sorted[0] < run.firstSequence()
        || sorted[sorted.length - 1] >= nameBehind(index)) {
      return null;
    }
    long least = isBegun ? 0 : run.segments().get(0).number();
    String name = SegmentLayout.fileName(least + Arrays.binarySearch(sorted, firsts[segment]));
    return run.segments().get(segment).file().endsWith(name) ? null : name;
  }
}
