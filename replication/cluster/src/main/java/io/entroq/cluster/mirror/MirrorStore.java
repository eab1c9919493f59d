package io.entroq.cluster.mirror;

import io.entroq.engine.Trees;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.log.SegmentedLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.maintenance.MaintenanceConfig;
import io.entroq.engine.maintenance.ObsoleteFiles;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.FrozenState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * A mirror on the disk: log and snapshots in the places of an engine's, in the directory of a
 * member.
 *
 * <pre>
 * DIR/log, DIR/snapshots                  the mirror
 * DIR/mirror-set-aside/log, …/snapshots   what was in their place before, if it was not right
 * </pre>
 *
 * <p>First the thread that opens it, then the writing one; snapshots are written on another.
 */
final class MirrorStore {
  /** Where what is not right is moved to; laid out as a data directory. */
  static final String SET_ASIDE = "mirror-set-aside";

  private static final String SNAPSHOTS = "snapshots";

  /** Nothing is said to be forced, as nothing is. */
  private static final long NOT_FORCED = 0;

  /**
   * Forces of what a snapshot writes would hold up those of the cluster's log, and the archive.
   * What a power cut leaves of a mirror is proven, or set aside, when the member starts again.
   */
  private static final Forcer NOTHING_FORCED = (what, action) -> {};

  private final Path directory;
  private final DirectoryLock lock;
  private final RunFactory runs;
  private final LogConfig config;
  private LogDirectory log;
  private volatile SnapshotDirectory snapshots;
  private long foundLogTimeMs;

  /**
   * @param runs what holds the bytes of the log
   */
  MirrorStore(Path directory, DirectoryLock lock, RunFactory runs, MirrorConfig config) {
    this.directory = directory;
    this.lock = lock;
    this.runs = runs;
    this.config =
        LogConfig.defaults()
            .withSegmentBytes(config.segmentBytes())
            .withReserveBytes(config.reserveBytes());
    this.snapshots = new SnapshotDirectory(directory, NOTHING_FORCED);
  }

  /**
   * Reads every byte of log and snapshots that counts.
   *
   * @throws LogException if any of it is not what was written
   */
  MirrorVerifier verify() {
    log = LogDirectory.ofMember(directory, lock);
    snapshots.removeUnfinished();
    Manifest newest = null;
    Manifest oldest = null;
    for (Snapshot each : snapshots.newestFirst()) {
      oldest = snapshots.reader(each).verify();
      newest = newest == null ? oldest : newest;
    }
    MirrorVerifier verifier = new MirrorVerifier(newest);
    // All of it, not only what an engine would read: where it is damaged nobody should build on it.
    ScanReport report = new LogScanner(log, HolePolicy.REFUSE).scan(verifier).requireUndamaged();
    requireWhole(report, oldest == null ? 1 : oldest.sequence(), verifier.snapshotSequence());
    report.loose().forEach(log::trim);
    if (!verifier.isEmpty()) {
      foundLogTimeMs = report.lastLogTimeMs();
    }
    return verifier;
  }

  /**
   * @param first the record with which the log must begin, if it does not do so before
   * @param last the record that it must come to
   */
  private static void requireWhole(ScanReport report, long first, long last) {
    if (report.lastSequence() < last || report.firstSequence() > first) {
      throw LogException.error(
          "its log has records %,d to %,d, and its snapshots need %,d to %,d"
              .formatted(report.firstSequence(), report.lastSequence(), first, last));
    }
  }

  /** The log time of the last record, 0 if none was found. */
  long foundLogTimeMs() {
    return foundLogTimeMs;
  }

  /**
   * Moves away what there is. What was set aside before is deleted: room on the disk has a bound.
   *
   * @return where it is now
   * @throws LogException if that cannot be done
   */
  Path setAside() {
    Path place = directory.resolve(SET_ASIDE);
    try {
      Trees.delete(place);
      Files.createDirectory(place);
      for (Path part : List.of(directory.resolve(SNAPSHOTS), logPlace())) {
        if (Files.exists(part)) {
          Files.move(part, place.resolve(part.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
      }
      LogDirectory.force(directory);
      return place;
    } catch (IOException e) {
      throw LogException.error(
          "Cannot move the mirror in %s to %s: %s".formatted(directory, place, e), e);
    }
  }

  private Path logPlace() {
    return directory.resolve(LogDirectory.LOG);
  }

  /**
   * Deletes what there is, snapshots first: without them, what is left of the log is no whole one.
   *
   * @throws LogException if that cannot be done
   */
  void clear() {
    try {
      Trees.delete(directory.resolve(SNAPSHOTS));
      Trees.delete(logPlace());
    } catch (IOException e) {
      throw LogException.error("Cannot delete the mirror in %s: %s".formatted(directory, e), e);
    }
  }

  /** From here on log and snapshots are new ones. Nothing of the old ones may be in use. */
  void renew() {
    log = LogDirectory.ofMember(directory, lock);
    snapshots = new SnapshotDirectory(directory, NOTHING_FORCED);
  }

  /**
   * Opens the log to go on behind a record.
   *
   * @throws LogException if it cannot be
   */
  CommandLog append(long lastSequence, int logTag) {
    return SegmentedLog.open(log, runs, config, FaultHook.NONE, logTag, lastSequence, NOT_FORCED);
  }

  /**
   * Writes a snapshot, and deletes what it makes superfluous. Blocks; any one thread beside the
   * writing one.
   *
   * @param awaitWritten returns when the log has been written up to a record
   * @throws LogException if it cannot be written, or nobody wants it any more
   */
  void write(FrozenState state, LongConsumer awaitWritten, BooleanSupplier isAbandoned) {
    SnapshotDirectory all = snapshots;
    new SnapshotWriter(all, config.reserveBytes())
        .write(state, awaitWritten, isAbandoned, written -> {});
    new ObsoleteFiles(log, all, MaintenanceConfig.DEFAULT.readerBytesMax(), FaultHook.NONE).letGo();
  }
}
