package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds files that do not belong where they lie, by the first record of every segment of every run:
 * in a run they go up, a run begins with the record that it is named for, and behind all that the
 * runs before it begin with, unless it begins with a cut. A segment whose first record is bad says
 * nothing. One thread.
 */
final class Placement {
  private final FirstRecord firstRecord = new FirstRecord();
  private final List<LogRun> listed;
  private final List<RunHead> heads;
  private final int logTag;

  /** What the runs before the one that is looked at begin with at most, and where. */
  private long last;

  private Path lastPlace;

  /**
   * @param heads of those of the runs that ever got a record
   */
  Placement(List<LogRun> listed, List<RunHead> heads, int logTag) {
    this.listed = listed;
    this.heads = heads;
    this.logTag = logTag;
  }

  /** The first that does not belong where it lies, null if all do. */
  Misplaced find() {
    for (int index = 1; index < listed.size(); index++) {
      LogRun before = listed.get(index - 1);
      LogRun run = listed.get(index);
      if (run.number() == before.number()) {
        // The one that begins with the record it is named for stays.
        LogRun other = isAsNamed(run) && !isAsNamed(before) ? before : run;
        LogRun right = other.equals(run) ? before : run;
        String what = "%s has the same number".formatted(right.directory().getFileName());
        return Misplaced.of(other.directory(), other.firstSequence(), what);
      }
    }
    Misplaced found = null;
    for (int index = firstBegun(); found == null && index < heads.size(); index++) {
      found = inRun(index);
    }
    return found;
  }

  private boolean isAsNamed(LogRun run) {
    return heads.stream()
        .anyMatch(head -> head.log().equals(run) && head.sequence() == run.firstSequence());
  }

  /** Runs before a beginning of the log can only be some of which no record was ever good. */
  private int firstBegun() {
    int index = 0;
    while (index < heads.size() && !heads.get(index).isReadable()) {
      index++;
    }
    boolean isBeginning = index < heads.size() && heads.get(index).type() == RecordType.GENESIS;
    return isBeginning ? index : 0;
  }

  private Misplaced inRun(int index) {
    RunHead head = heads.get(index);
    List<LogSegment> segments = head.log().segments();
    long[] firsts = new long[segments.size()];
    long[] times = new long[segments.size()];
    for (int i = 0; i < firsts.length; i++) {
      long first = firstRecord.sequenceOf(segments.get(i));
      firsts[i] = i == 0 ? head.sequence() : first;
      times[i] = firstRecord.logTimeMs();
      if (first != 0 && firsts[i] != 0 && firstRecord.logTag() != logTag) {
        String what = "it begins with a record of another log";
        Path place = isOfOther(segments) ? head.log().directory() : segments.get(i).file();
        return Misplaced.of(place, firsts[i], what);
      }
    }
    if (!head.isBegun() && head.isReadable() && head.sequence() <= last) {
      String what =
          "it goes on with record %d, and %s before it begins with %d"
              .formatted(head.sequence(), lastPlace, last);
      return Misplaced.of(head.log().directory(), head.sequence(), what);
    }
    Misplaced found = head.isBegun() ? ofBegun(index, firsts) : null;
    return found == null ? inOrder(index, firsts, times) : found;
  }

  private boolean isOfOther(List<LogSegment> segments) {
    for (LogSegment segment : segments) {
      if (firstRecord.sequenceOf(segment) != 0 && firstRecord.logTag() == logTag) {
        return false;
      }
    }
    return true;
  }

  private Misplaced ofBegun(int index, long[] firsts) {
    RunHead head = heads.get(index);
    LogRun run = head.log();
    if (head.sequence() != run.firstSequence()) {
      boolean isOneOfMany = Arrays.stream(firsts).skip(1).anyMatch(first -> isIn(index, first));
      return Misplaced.of(
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
              ? "a log begins here, and once more in %s".formatted(lastPlace.getParent())
              : "the run begins with record %d, and %s before it with %d"
                  .formatted(head.sequence(), lastPlace, last);
      return Misplaced.of(run.directory(), head.sequence(), what);
    }
    return null;
  }

  /** A cut that names where the log ended stands behind that, with no good run in between. */
  private Misplaced ofCut(int index) {
    RunHead cut = heads.get(index);
    if (cut.cutRun() == 0) {
      return null;
    }
    boolean isBefore = cut.cutRun() >= cut.log().number();
    for (RunHead between : heads.subList(0, index)) {
      isBefore |= between.log().number() > cut.cutRun() && between.isBegun();
    }
    String what =
        "it cuts off the end of run %d and does not lie behind that".formatted(cut.cutRun());
    return isBefore ? Misplaced.of(cut.log().directory(), cut.sequence(), what) : null;
  }

  /** Whether a segment of the run may begin with the record, behind its first one. */
  private boolean isIn(int index, long first) {
    return first > heads.get(index).log().firstSequence() && first < endOf(index);
  }

  /** The record with which the next run begins that cuts nothing off. */
  private long endOf(int index) {
    long begin = heads.get(index).log().firstSequence();
    for (RunHead next : heads.subList(index + 1, heads.size())) {
      if (next.cuts(logTag)) {
        return Long.MAX_VALUE;
      }
      long first = next.log().firstSequence();
      if (next.isBegun() && next.sequence() == first && first > begin) {
        return first;
      }
    }
    return Long.MAX_VALUE;
  }

  private Misplaced inOrder(int index, long[] firsts, long[] times) {
    RunHead head = heads.get(index);
    List<LogSegment> segments = head.log().segments();
    boolean[] isIn = new boolean[firsts.length];
    for (int i = 0; i < firsts.length; i++) {
      boolean isFirst = i == 0 && head.isBegun();
      boolean isLater = !head.isBegun() || times[i] >= times[0];
      isIn[i] = firsts[i] != 0 && (isFirst || (isIn(index, firsts[i]) && isLater));
    }
    boolean[] goesUp = Rising.longest(firsts, isIn);
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
    return new Misplaced(files, firsts[firstBad], what, rightName(index, firsts, firstBad));
  }

  private String why(int index, long[] firsts, int bad) {
    List<LogSegment> segments = heads.get(index).log().segments();
    for (int i = 0; i < firsts.length; i++) {
      if (i != bad && firsts[i] == firsts[bad]) {
        return "as %s does".formatted(segments.get(i).file().getFileName());
      }
    }
    return isIn(index, firsts[bad])
        ? "which does not fit between those of the files around it"
        : "which its run does not have";
  }

  /** What the segment is called if the same ones are there under other names; else null. */
  private String rightName(int index, long[] firsts, int segment) {
    LogRun run = heads.get(index).log();
    long[] sorted = Arrays.stream(firsts).sorted().toArray();
    boolean areDistinct = Arrays.stream(sorted).distinct().count() == sorted.length;
    boolean isBegun = sorted[0] == run.firstSequence();
    if (!areDistinct
        || sorted[0] < run.firstSequence()
        || sorted[sorted.length - 1] >= endOf(index)) {
      return null;
    }
    long least = isBegun ? 0 : run.segments().get(0).number();
    String name = SegmentLayout.fileName(least + Arrays.binarySearch(sorted, firsts[segment]));
    return run.segments().get(segment).file().endsWith(name) ? null : name;
  }
}
