package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs of a log to read, in order.
 *
 * @param logs all of them
 * @param heads headers of those that ever got a record
 */
record RunList(List<LogRun> logs, List<RunHeader> heads) {
  static final RunList NONE = new RunList(List.of(), List.of());

  boolean isEmpty() {
    return heads.isEmpty();
  }

  int size() {
    return heads.size();
  }

  RunHeader head(int index) {
    return heads.get(index);
  }

  /** The run of the header at an index. */
  LogRun log(int index) {
    return heads.get(index).log();
  }

  /** Index of the run's header; 0 if it has none because it never got a record. */
  int indexOf(LogRun run) {
    for (int index = 0; index < heads.size(); index++) {
      if (log(index).equals(run)) {
        return index;
      }
    }
    return 0;
  }

  /** The runs whose first record is bad. */
  List<LogRun> unreadable() {
    return heads.stream().filter(head -> !head.isReadable()).map(RunHeader::log).toList();
  }

  /** Whether a run begins with a cut of the log with this tag. */
  boolean isCut(LogRun run, Integer tag) {
    return heads.stream().anyMatch(head -> head.log().equals(run) && head.cuts(tag));
  }

  /** The sequence at which a later run cuts this one off. */
  long limitOf(int index, Integer tag) {
    long limit = Long.MAX_VALUE;
    for (RunHeader later : heads.subList(index + 1, heads.size())) {
      if (later.cuts(tag)) {
        limit = Math.min(limit, later.sequence());
      }
    }
    return limit;
  }

  /** The segments from an index on, in its run and all later ones. */
  List<LogSegment> segmentsFrom(int index, int segmentIndex) {
    List<LogSegment> own = log(index).segments();
    List<LogSegment> segments = new ArrayList<>(own.subList(segmentIndex, own.size()));
    for (RunHeader later : heads.subList(index + 1, heads.size())) {
      segments.addAll(later.log().segments());
    }
    return segments;
  }
}
