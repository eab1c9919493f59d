package io.entroq.cluster.mirror;

import io.entroq.cluster.image.ImageStore;
import io.entroq.engine.Trees;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.idfilter.IdFilterDirectory;
import io.entroq.engine.idfilter.IdRecorder;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.FreeSpace;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.log.SegmentedLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.engine.maintenance.MaintenanceConfig;
import io.entroq.engine.maintenance.ObsoleteFiles;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotReader;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.FrozenState;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * The mirror's files, laid out like an engine's in the member's directory.
 *
 * <pre>
 * DIR/log, DIR/snapshots, DIR/id-filters  the mirror
 * DIR/mirror-set-aside/log, …/snapshots   the last mirror that was found wrong
 * </pre>
 *
 * <p>Used by the opening thread, then by the writer thread; snapshots are written on another one.
 */
final class MirrorStore {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());

  /** Holds a mirror that was found wrong; laid out like an engine's directory. */
  static final String SET_ASIDE = "mirror-set-aside";

  private static final String SNAPSHOTS = "snapshots";

  /** The newest ones, and the log from the older on, are no history. */
  private static final int SNAPSHOTS_NEEDED = 2;

  /** Marks that nothing of the log is forced. */
  private static final long NOT_FORCED = 0;

  /**
   * Skips forces, which would delay those of the cluster's log and the archive. The next start
   * verifies or sets aside what a power loss has left of the mirror.
   */
  private static final Forcer NOTHING_FORCED = (what, action) -> {};

  private final Path directory;
  private final IdFilterDirectory filters;

  /** Null if no history is kept. */
  private final IdRecorder ids;

  private final DirectoryLock lock;
  private final ImageStore images;
  private final RunFactory runs;
  private final HistoryPolicy history;
  private final long historyRoomBytes;
  private final LogConfig config;

  /** Held while files are removed, which may take long. */
  private final ReentrantLock removal = new ReentrantLock();

  private LogDirectory log;
  private volatile SnapshotDirectory snapshots;
  private long foundLogTimeMs;

  MirrorStore(
      Path directory, DirectoryLock lock, ImageStore images, RunFactory runs, MirrorConfig config) {
    this.directory = directory;
    this.filters = new IdFilterDirectory(directory);
    this.ids = config.history().isOn() ? new IdRecorder() : null;
    this.lock = lock;
    this.images = images;
    this.runs = runs;
    this.history = config.history();
    this.historyRoomBytes = config.historyRoomBytes();
    this.config =
        LogConfig.defaults()
            .withSegmentBytes(config.segmentBytes())
            .withReserveBytes(config.reserveBytes());
    this.snapshots = new SnapshotDirectory(directory, NOTHING_FORCED);
  }

  /**
   * Reads all bytes of the log, and of snapshots that it does not share; of history, none.
   *
   * @throws LogException if any are damaged
   */
  MirrorVerifier verify() {
    log = LogDirectory.ofMember(directory, lock);
    snapshots.removeUnfinished();
    List<Snapshot> found = snapshots.newestFirst();
    boolean hasHistory = history.isOn() && found.size() > SNAPSHOTS_NEEDED;
    Manifest newest = null;
    Manifest oldest = null;
    for (Snapshot each : hasHistory ? found.subList(0, SNAPSHOTS_NEEDED) : found) {
      SnapshotReader reader = snapshots.reader(each);
      oldest = images.isShared(each) ? reader.manifest() : reader.verify();
      newest = newest == null ? oldest : newest;
    }
    MirrorVerifier verifier = new MirrorVerifier(newest);
    ScanReport report = hasHistory ? scanAfter(oldest, verifier) : scanAll(oldest, verifier);
    report.loose().forEach(log::trim);
    if (!verifier.isEmpty()) {
      foundLogTimeMs = report.lastLogTimeMs();
    }
    return verifier;
  }

  /** Also what an engine would not read: nothing should build on a damaged mirror. */
  private ScanReport scanAll(Manifest oldest, MirrorVerifier verifier) {
    ScanReport report = new LogScanner(log, HolePolicy.REFUSE).scan(verifier).requireUndamaged();
    requireWhole(report, oldest == null ? 1 : oldest.sequence(), verifier.snapshotSequence());
    return report;
  }

  /** Leaves out the history, which may be large. Who reads it finds damage in it. */
  private ScanReport scanAfter(Manifest oldest, MirrorVerifier verifier) {
    ScanReport report =
        new LogScanner(log, HolePolicy.REFUSE)
            .scanAfter(oldest.sequence(), oldest.logTag(), oldest.logTimeMs(), verifier)
            .requireUndamaged();
    requireWhole(report, report.firstSequence(), verifier.snapshotSequence());
    return report;
  }

  /**
   * @param first the log must begin with this record or an earlier one
   * @param last the log must reach this record
   */
  private static void requireWhole(ScanReport report, long first, long last) {
    if (report.lastSequence() < last || report.firstSequence() > first) {
      throw LogException.error(
          "its log has records %,d to %,d, but its snapshots need %,d to %,d"
              .formatted(report.firstSequence(), report.lastSequence(), first, last));
    }
  }

  /** Notes the ids that steps have effects on, for {@link #write}; null if no history is kept. */
  IdRecorder ids() {
    return ids;
  }

  /** The log time of the last record found; 0 if none was. */
  long foundLogTimeMs() {
    return foundLogTimeMs;
  }

  /**
   * Moves the mirror away. Deletes the one that was set aside before, to bound the disk space.
   *
   * @return its new directory
   * @throws LogException if that fails
   */
  Path setAside() {
    Path target = directory.resolve(SET_ASIDE);
    try {
      Trees.delete(target);
      Files.createDirectory(target);
      for (Path part : List.of(directory.resolve(SNAPSHOTS), logPath())) {
        if (Files.exists(part)) {
          Files.move(part, target.resolve(part.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
      }
      LogDirectory.force(directory);
      filters.clear();
      return target;
    } catch (IOException e) {
      throw LogException.error(
          "Cannot move the mirror in %s to %s: %s".formatted(directory, target, e), e);
    }
  }

  private Path logPath() {
    return directory.resolve(LogDirectory.LOG);
  }

  /**
   * Deletes the mirror. Snapshots go first: without them an interrupted deletion is never taken for
   * a complete mirror.
   *
   * @throws LogException if that fails
   */
  void clear() {
    try {
      Trees.delete(directory.resolve(SNAPSHOTS));
      Trees.delete(logPath());
      filters.clear();
    } catch (IOException e) {
      throw LogException.error("Cannot delete the mirror in %s: %s".formatted(directory, e), e);
    }
  }

  /** Starts with empty log and snapshots. The old ones must not be in use. */
  void reset() {
    log = LogDirectory.ofMember(directory, lock);
    snapshots = new SnapshotDirectory(directory, NOTHING_FORCED);
  }

  /**
   * Opens the log to append after a record.
   *
   * @throws LogException if that fails
   */
  CommandLog append(long lastSequence, int logTag) {
    return SegmentedLog.open(log, runs, config, FaultHook.NONE, logTag, lastSequence, NOT_FORCED);
  }

  /**
   * Writes a snapshot and deletes the files that it makes obsolete. Blocks. May run on one thread
   * beside the writer.
   *
   * @param awaitWritten returns when the log is written up to a record
   * @throws LogException if the snapshot cannot be written or was abandoned
   */
  void write(FrozenState state, LongConsumer awaitWritten, BooleanSupplier isAbandoned) {
    SnapshotDirectory all = snapshots;
    writeFilters();
    new SnapshotWriter(all, config.reserveBytes())
        .write(state, awaitWritten, isAbandoned, written -> {});
    removeObsolete(all);
  }

  /**
   * Shares an image as a snapshot and deletes the files that it makes obsolete. Otherwise like
   * {@link #write}.
   */
  void share(Snapshot image, LongConsumer awaitWritten) {
    SnapshotDirectory all = snapshots;
    awaitWritten.accept(image.sequence());
    writeFilters();
    all.share(image);
    removeObsolete(all);
  }

  /** Without them the log is read, so the mirror goes on if that fails. */
  private void writeFilters() {
    try {
      if (ids != null) {
        filters.write(ids, historyRoomBytes);
      }
    } catch (RuntimeException | Error e) {
      LOGGER.log(Level.WARNING, "A history of single tasks will take longer.", e);
    }
  }

  private void removeObsolete(SnapshotDirectory all) {
    removal.lock();
    try {
      obsolete(all).remove();
    } finally {
      removal.unlock();
    }
  }

  /**
   * Gives up history if the disk has little room: long before the mirror must stop. Does nothing
   * while files are removed for a snapshot: the writer must not wait, as its queue would fill.
   *
   * @throws LogException if that fails
   */
  void makeRoom() {
    if (!history.isOn() || !removal.tryLock()) {
      return;
    }
    try {
      obsolete(snapshots).makeRoom(() -> FreeSpace.usableBytes(directory) < historyRoomBytes);
    } finally {
      removal.unlock();
    }
  }

  private ObsoleteFiles obsolete(SnapshotDirectory all) {
    return new ObsoleteFiles(
        log, all, history, MaintenanceConfig.DEFAULT.readerBytesMax(), FaultHook.NONE);
  }
}
