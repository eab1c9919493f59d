package io.entroq.engine.history;

import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.retention.LogHold;
import io.entroq.engine.log.scan.FirstRecordReader;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.SegmentRemovedException;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.nio.file.Path;
import java.util.List;

/**
 * A data directory whose past is read: of an engine or a member of a cluster, running or stopped.
 * Keeps its log and its snapshots from being removed until it is closed.
 */
public final class HistoryDirectory implements AutoCloseable {
  private final LogDirectory log;
  private final SnapshotDirectory snapshots;
  private final HolePolicy policy;
  private final LogHold hold;

  /**
   * Uses a directory that somebody else opens, closes, and keeps as it is.
   *
   * @param snapshots of the same directory
   * @param policy how to treat a hole in the log
   */
  public HistoryDirectory(LogDirectory log, SnapshotDirectory snapshots, HolePolicy policy) {
    this(log, snapshots, policy, null);
  }

  private HistoryDirectory(
      LogDirectory log, SnapshotDirectory snapshots, HolePolicy policy, LogHold hold) {
    this.log = log;
    this.snapshots = snapshots;
    this.policy = policy;
    this.hold = hold;
  }

  /**
   * Opens a directory.
   *
   * @param policy how to treat a hole in the log
   * @param tool name of the reader, for the list of readers
   * @throws io.entroq.engine.log.LogException if it has no log or cannot be read
   */
  public static HistoryDirectory open(Path directory, HolePolicy policy, String tool) {
    LogDirectory.requireFinished(directory);
    LogDirectory log = LogDirectory.read(directory);
    SnapshotDirectory snapshots = new SnapshotDirectory(directory, Forcer.DISK);
    return new HistoryDirectory(log, snapshots, policy, LogHold.of(log, tool));
  }

  /**
   * The first point that can be read: 0 if the log begins with its first record, else the oldest
   * snapshot that seems good. {@link Long#MAX_VALUE} if there is none.
   */
  public long first() {
    return firstPoint().sequence();
  }

  /** As {@link #first}, with the time of that step, or of the first record; else the end. */
  public HistoryPoint firstPoint() {
    long firstRecordMs = firstRecordMs();
    return firstRecordMs >= 0 ? new HistoryPoint(0, firstRecordMs) : oldestSnapshot();
  }

  private HistoryPoint oldestSnapshot() {
    List<Snapshot> found = snapshots.newestFirst();
    for (int i = found.size() - 1; i >= 0; i--) {
      Snapshot snapshot = found.get(i);
      Manifest manifest = snapshots.reader(snapshot).manifestIfGood();
      if (manifest != null && manifest.sequence() == snapshot.sequence()) {
        return new HistoryPoint(snapshot.sequence(), manifest.logTimeMs());
      }
    }
    return HistoryPoint.END;
  }

  /** Whether the whole log is there. */
  boolean hasFirstRecord() {
    return firstRecordMs() >= 0;
  }

  /** The time of the first record ever; negative if it is gone. */
  private long firstRecordMs() {
    FirstRecordReader reader = new FirstRecordReader();
    for (LogRun run : log.runs()) {
      List<LogSegment> segments = run.segments();
      try {
        if (!segments.isEmpty() && reader.sequenceOf(segments.get(0)) == 1) {
          return reader.logTimeMs();
        }
      } catch (SegmentRemovedException e) {
        // Then the log does not begin there any more.
      }
    }
    return -1;
  }

  LogDirectory log() {
    return log;
  }

  SnapshotDirectory snapshots() {
    return snapshots;
  }

  HolePolicy policy() {
    return policy;
  }

  /** Its path, for messages. */
  Path path() {
    return log.directory().toAbsolutePath();
  }

  /**
   * Lets the engine remove what is needed up to a step alone: for who has replayed that step and
   * only goes on.
   */
  public void release(long sequence) {
    if (hold != null) {
      hold.advance(sequence + 1);
    }
  }

  @Override
  public void close() {
    if (hold != null) {
      hold.close();
    }
  }
}
