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
 * Removes segments at the beginning of a log that are no longer needed.
 *
 * <p>Files are removed oldest first, and each removal is on the disk before the next. So wherever
 * this stops, the rest is a log that begins later. A run's directory is removed with its last
 * segment. The newest segment and the newest run always stay. Not thread-safe; the thread may
 * differ from those that append and force.
 */
public final class LogRetention {
  private final LogDirectory directory;
  private final FirstRecordReader firstRecord = new FirstRecordReader();

  public LogRetention(LogDirectory directory) {
    this.directory = directory;
  }

  /**
   * Removes every segment whose records are all below the sequence or cut off. The segment with
   * that record and all later ones stay. All records before it must be on the disk.
   *
   * @return bytes freed, by file length; more than the disk space of a segment whose engine was
   *     killed
   * @throws LogException if a file cannot be read or removed; the next call continues
   */
  public long removeBelow(long sequence) {
    return walk(sequence, directory::removeSegment, run -> directory.removeRun(run.directory()));
  }

  /** The bytes that {@link #removeBelow} would free now. */
  public long removableBytes(long sequence) {
    return walk(sequence, segment -> {}, run -> {});
  }

  /**
   * Visits what can be removed, oldest first: segments, and each run except the newest after its
   * last segment.
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

  /** The segments at the beginning of a run whose records are all below the sequence. */
  private List<LogSegment> removable(List<LogRun> runs, int index, long sequence) {
    List<LogSegment> segments = runs.get(index).segments();
    if (segments.isEmpty() || isBegunBelow(runs.subList(index + 1, runs.size()), sequence)) {
      return segments;
    }
    // A segment's records are below those of every later segment.
    int last = segments.size() - 1;
    while (last > 0 && !isAtMost(firstRecord.sequenceOf(segments.get(last)), sequence)) {
      last--;
    }
    return segments.subList(0, last);
  }

  /**
   * Whether one of the runs begins at or below the sequence, so that earlier runs end or are cut
   * off there. Reads the first record, because a run may be named for a record that it never got.
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

  /** 0 if the file no longer exists. */
  static long length(LogSegment segment) {
    try {
      return Files.size(segment.file());
    } catch (IOException e) {
      return 0;
    }
  }
}
