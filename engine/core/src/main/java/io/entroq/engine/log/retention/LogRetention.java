package io.entroq.engine.log.retention;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.scan.FirstRecordReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Consumer;

/**
 * Removes the segments at the beginning of a log that nobody needs any more.
 *
 * <p>One file after the other, the oldest first, each removal on the disk before the next: so
 * wherever this is stopped, what is left is a log that begins later. A run's directory goes with
 * its last segment. The newest segment always stays, and the newest run. One thread, which may be
 * another than those that append and force.
 */
public final class LogRetention {
  private final LogDirectory directory;
  private final FirstRecordReader firstRecord = new FirstRecordReader();

  public LogRetention(LogDirectory directory) {
    this.directory = directory;
  }

  /**
   * Removes every segment all of whose records are below the sequence, or cut off; so the segment
   * that holds that record stays, and all behind it. All before that record must be on the disk.
   *
   * @return bytes freed, by the lengths of the files: of one that was open when its engine was
   *     killed that is more than it took on the disk
   * @throws LogException if a file cannot be read or removed; what was removed before stays so, and
   *     the next call goes on
   */
  public long removeBelow(long sequence) {
    return walk(sequence, directory::removeSegment, run -> directory.removeRun(run.directory()));
  }

  /** What {@link #removeBelow} would free now. */
  public long removableBytes(long sequence) {
    return walk(sequence, segment -> {}, run -> {});
  }

  /**
   * Visits what can be removed, the oldest first: segments, and each run, but for the newest,
   * behind the last of its segments.
   */
  private long walk(long sequence, Consumer<LogSegment> segments, Consumer<LogRun> emptied) {
    List<LogRun> runs = directory.runs();
    long bytes = 0;
    for (int index = 0; index < runs.size(); index++) {
      LogRun run = runs.get(index);
      List<LogSegment> removable = removable(runs, index, sequence);
      for (LogSegment segment : removable) {
        bytes += length(segment);
        segments.accept(segment);
      }
      if (removable.size() < run.segments().size() || index == runs.size() - 1) {
        return bytes;
      }
      emptied.accept(run);
    }
    return bytes;
  }

  /** The segments at the beginning of a run all of whose records are below the sequence. */
  private List<LogSegment> removable(List<LogRun> runs, int index, long sequence) {
    List<LogSegment> segments = runs.get(index).segments();
    if (segments.isEmpty() || isBegunBelow(runs.subList(index + 1, runs.size()), sequence)) {
      return segments;
    }
    // A segment ends before any that follows it begins.
    int last = segments.size() - 1;
    while (last > 0 && !isAtMost(firstRecord.sequenceOf(segments.get(last)), sequence)) {
      last--;
    }
    return segments.subList(0, last);
  }

  /**
   * Whether a run begins at or below the sequence: then all before that run ends there, or is cut
   * off there. Not by its name, which it has also if it never got its first record.
   */
  private boolean isBegunBelow(List<LogRun> runs, long sequence) {
    for (LogRun run : runs) {
      boolean mayBe = run.firstSequence() <= sequence && !run.segments().isEmpty();
      if (mayBe && firstRecord.sequenceOf(run.segments().get(0)) == run.firstSequence()) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAtMost(long first, long sequence) {
    return first != 0 && first <= sequence;
  }

  /** Of a file that is gone by now, nothing. */
  private static long length(LogSegment segment) {
    try {
      return Files.size(segment.file());
    } catch (IOException e) {
      return 0;
    }
  }
}
