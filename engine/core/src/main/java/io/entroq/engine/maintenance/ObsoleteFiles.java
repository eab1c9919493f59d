package io.entroq.engine.maintenance;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.idfilter.IdFilterDirectory;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.retention.LogReaders;
import io.entroq.engine.log.retention.LogRetention;
import io.entroq.engine.log.retention.LogSizes;
import io.entroq.engine.maintenance.KeptHistory.Point;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Removes what a data directory no longer needs: all but the two newest good snapshots, and the log
 * before them that no registered reader needs, with its filters of ids. Keeps the history that was
 * asked for, unless the disk gets low. Not thread-safe.
 */
public final class ObsoleteFiles {
  private static final System.Logger LOGGER = System.getLogger(ObsoleteFiles.class.getName());

  private static final int SNAPSHOTS_KEPT = 2;

  private final LogDirectory directory;
  private final SnapshotDirectory snapshots;
  private final HistoryPolicy policy;
  private final IdFilterDirectory filters;
  private final LogRetention retention;
  private final LogReaders readers;
  private final long readerBytesMax;
  private final FaultHook faults;

  /**
   * @param snapshots of the same data directory
   * @param policy how much history is kept
   * @param readerBytesMax bytes of log kept at most for a reader, besides the history
   */
  public ObsoleteFiles(
      LogDirectory directory,
      SnapshotDirectory snapshots,
      HistoryPolicy policy,
      long readerBytesMax,
      FaultHook faults) {
    this.directory = directory;
    this.snapshots = snapshots;
    this.policy = policy;
    this.filters = new IdFilterDirectory(directory.directory());
    this.retention = new LogRetention(directory);
    this.readers = new LogReaders(directory);
    this.readerBytesMax = readerBytesMax;
    this.faults = faults;
  }

  /**
   * Removes obsolete files.
   *
   * @return bytes of log removed
   * @throws io.entroq.engine.log.LogException if something cannot be read or deleted
   */
  public long remove() {
    List<Snapshot> newestFirst = snapshots.newestFirst();
    if (newestFirst.size() < SNAPSHOTS_KEPT) {
      return 0;
    }
    return remove(neededFrom(newestFirst), history(newestFirst));
  }

  /** The snapshot from which on everything is kept, unless it turns out to be damaged. */
  private static long neededFrom(List<Snapshot> newestFirst) {
    return newestFirst.get(SNAPSHOTS_KEPT - 1).sequence();
  }

  /**
   * Gives history up, oldest first, until the disk has room.
   *
   * @param isScarce whether the disk has too little room
   * @return bytes of log removed
   * @throws io.entroq.engine.log.LogException if something cannot be read or deleted
   */
  public long makeRoom(BooleanSupplier isScarce) {
    long freed = 0;
    long given = -1;
    while (policy.isOn() && isScarce.getAsBoolean()) {
      long last = given;
      List<Snapshot> newestFirst = snapshots.newestFirst();
      List<Point> history = new ArrayList<>(history(newestFirst));
      history.removeIf(point -> point.sequence() <= last);
      if (history.isEmpty()) {
        break;
      }
      given = history.remove(0).sequence();
      freed += remove(neededFrom(newestFirst), history);
    }
    if (freed > 0) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "The disk of %s has little room: %,d bytes of history were given up."
              .formatted(directory.directory().toAbsolutePath(), freed));
    }
    return freed;
  }

  /** The points that are kept of the past, oldest first; none if there are too few snapshots. */
  private List<Point> history(List<Snapshot> newestFirst) {
    if (!policy.isOn() || newestFirst.size() < SNAPSHOTS_KEPT) {
      return List.of();
    }
    Point newest = point(newestFirst.get(0));
    Point needed = point(newestFirst.get(SNAPSHOTS_KEPT - 1));
    if (newest == null || needed == null) {
      return allBefore(newestFirst);
    }
    LogSizes log = new LogSizes(directory);
    List<Point> past = allBefore(newestFirst);
    if (log.hasFirstRecord()) {
      past.add(0, new Point(0, 0, 0));
    }
    return new KeptHistory(policy, (from, to) -> log.between(from, to) + filters.bytes(from, to))
        .of(past, needed, newest.logTimeMs());
  }

  /** The readable snapshots before the two newest, oldest first. */
  private List<Point> allBefore(List<Snapshot> newestFirst) {
    List<Point> past = new ArrayList<>();
    for (Snapshot each : newestFirst.subList(SNAPSHOTS_KEPT, newestFirst.size())) {
      Point point = point(each);
      if (point != null) {
        past.add(point);
      }
    }
    Collections.reverse(past);
    return past;
  }

  /** Null if its manifest is damaged. */
  private Point point(Snapshot snapshot) {
    Manifest manifest = snapshots.reader(snapshot).manifestIfGood();
    return manifest == null
        ? null
        : new Point(snapshot.sequence(), manifest.logTimeMs(), manifest.stateBytes());
  }

  private long remove(long needed, List<Point> history) {
    long floor = history.isEmpty() ? needed : history.get(0).sequence();
    Set<Long> kept = history.stream().map(Point::sequence).collect(Collectors.toSet());
    long held = readers.lowestHeld(needed, readerBytesMax + historyBytes(floor, needed));
    // A reader may be loading any snapshot from there on.
    long oldest =
        snapshots.keepNewest(
            SNAPSHOTS_KEPT, sequence -> sequence >= held || kept.contains(sequence));
    if (oldest == 0) {
      return 0;
    }
    faults.reached(FaultPoint.AFTER_SNAPSHOTS_REMOVED);
    long first = Math.min(oldest, Math.min(held, floor));
    filters.removeUpTo(first);
    return retention.removeBelow(first);
  }

  private long historyBytes(long floor, long needed) {
    return floor == needed ? 0 : retention.removableBytes(needed) - retention.removableBytes(floor);
  }
}
