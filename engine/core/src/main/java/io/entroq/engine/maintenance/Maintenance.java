package io.entroq.engine.maintenance;

import io.entroq.engine.Closing;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.idfilter.IdFilterDirectory;
import io.entroq.engine.idfilter.IdRecorder;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.recovery.RecoveredState;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.space.SpaceGuard;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateMachine;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Takes snapshots: freezes the state when one is due, passes it to the {@link MaintenanceWorker},
 * and thaws it when it is written.
 *
 * <p>Called by the applying thread; {@link #stats} and {@link #liveBytes} by any.
 */
public final class Maintenance implements AutoCloseable {
  /** Most bytes of log between two checks whether a snapshot is due. */
  private static final long CHECK_BYTES_MAX = 1 << 20;

  /** Copies may always use this fraction of the memory, which other limits leave free. */
  private static final int COPIES_PART_LEAST = 16;

  /** After a failure, this many checks by bytes of log are skipped before the next attempt. */
  private static final int RETRY_CHECKS = 16;

  /**
   * Or this many checks by time at most, one a second, as many as there were consecutive failures:
   * if nothing can be logged, only time leads to the next attempt.
   */
  private static final int CHECKS_SKIPPED_MAX = 30;

  private final StateMachine machine;

  /** Null if nobody notes ids. */
  private final IdRecorder ids;

  private final CommandLog log;
  private final SnapshotSchedule schedule;
  private final RetainedSnapshots kept;
  private final MaintenanceWorker worker;
  private final AutoCloseable running;
  private final boolean isWriterBeside;
  private final long memoryBytesMax;
  private final BooleanSupplier isDiskLow;
  private final LongSupplier nanoTime;
  private final long checkBytes;

  private FrozenState frozen;
  private long frozenLogBytes;
  private long nextCheckBytes;
  private boolean isRecordNeeded;
  private int failures;
  private int checksToSkip;

  /** Whether the interval has passed without a check since. */
  private boolean isIntervalOver;

  /** Whether a check was postponed because the worker was still removing files. */
  private boolean isPostponed;

  private volatile long liveBytes;

  /**
   * Starts maintenance.
   *
   * @param state the recovered state
   * @param ids notes the ids that steps have effects on; null if nobody does
   * @param memoryBytesMax off-heap memory limit of the state
   * @param space knows whether disk space is low, and how much a snapshot must leave free
   * @param wakeEngine makes the engine's thread call {@link #poll} even without commands
   * @param runner decides which thread writes
   * @param nanoTime the time for intervals, in nanoseconds from any origin; any thread
   */
  public static Maintenance start(
      MaintenanceConfig config,
      LogDirectory directory,
      SnapshotDirectory snapshots,
      RecoveredState state,
      IdRecorder ids,
      CommandLog log,
      long memoryBytesMax,
      SpaceGuard space,
      Runnable wakeEngine,
      MaintenanceRunner runner,
      LongSupplier nanoTime,
      FaultHook faults) {
    IdFilterDirectory filters = new IdFilterDirectory(directory.directory());
    DirectoryMaintenance work =
        new DirectoryMaintenance(
            log,
            new SnapshotWriter(snapshots, space.floorBytes()),
            new ObsoleteFiles(
                directory, snapshots, config.history(), config.readerBytesMax(), faults),
            ids == null ? () -> {} : () -> filters.write(ids, space.floorBytes()),
            space::isScarce,
            faults);
    MaintenanceWorker worker =
        new MaintenanceWorker(
            work,
            config.snapshotInterval(),
            space::isLow,
            wakeEngine,
            initialStats(state),
            nanoTime,
            faults);
    return new Maintenance(
        state.machine(),
        ids,
        log,
        config,
        kept(state),
        worker,
        runner,
        memoryBytesMax,
        space::isLow,
        nanoTime);
  }

  private static RetainedSnapshots kept(RecoveredState state) {
    Manifest newest = state.snapshot();
    return new RetainedSnapshots(
        newest == null ? 0 : newest.sequence(),
        newest == null ? 0 : newest.stateBytes(),
        state.othersBytes(),
        state.replayedBytes());
  }

  private static SnapshotStats initialStats(RecoveredState state) {
    Manifest newest = state.snapshot();
    return newest == null
        ? SnapshotStats.NONE
        : new SnapshotStats(0, 0, newest.sequence(), newest.stateBytes(), 0, 0, 0, 0);
  }

  Maintenance(
      StateMachine machine,
      IdRecorder ids,
      CommandLog log,
      MaintenanceConfig config,
      RetainedSnapshots kept,
      MaintenanceWorker worker,
      MaintenanceRunner runner,
      long memoryBytesMax,
      BooleanSupplier isDiskLow,
      LongSupplier nanoTime) {
    this.machine = machine;
    this.ids = ids;
    this.log = log;
    this.schedule = new SnapshotSchedule(config);
    this.kept = kept;
    this.worker = worker;
    this.isWriterBeside = runner.isBesideCommands();
    this.memoryBytesMax = memoryBytesMax;
    this.isDiskLow = isDiskLow;
    this.nanoTime = nanoTime;
    this.checkBytes = Math.min(CHECK_BYTES_MAX, config.snapshotLogBytes() / 4);
    this.running = runner.run(worker);
  }

  /** Does what is due, usually nothing. Call it after commands and when woken. */
  public void poll() {
    if (frozen != null) {
      if (worker.isWritten()) {
        thaw();
      }
    } else if (log.appendedBytes() >= nextCheckBytes || isCheckDue()) {
      check();
    }
  }

  /** Whether {@link #poll} has something to do even without a command. */
  public boolean hasWork() {
    return frozen == null ? isCheckDue() : worker.isWritten();
  }

  private boolean isCheckDue() {
    return worker.isIntervalOver() || worker.isCheckRequested() || (isPostponed && worker.isIdle());
  }

  /**
   * Whether a no-op record must be logged to allow the next snapshot: nothing has happened since
   * the last one, and the previous one is too large to keep. The next {@link #poll} then takes the
   * snapshot.
   */
  public boolean isRecordNeeded() {
    return isRecordNeeded;
  }

  private void check() {
    isIntervalOver |= worker.takeIntervalOver();
    boolean isUrgent = worker.isCheckRequested();
    worker.clearCheckRequest();
    if (isUrgent && !isIntervalOver && checksToSkip > 0) {
      checksToSkip--;
      return;
    }
    long logBytes = log.appendedBytes();
    nextCheckBytes = logBytes + checkBytes;
    liveBytes = machine.liveBytes();
    isRecordNeeded = false;
    isPostponed = !worker.isIdle();
    if (!isPostponed) {
      decide(logBytes, isIntervalOver || isUrgent);
      isIntervalOver = false;
    }
  }

  private void decide(long logBytes, boolean isRequested) {
    boolean isTooLarge = isTooLarge(logBytes);
    if (machine.sequence() > kept.newestSequence()) {
      if (isTooLarge || isDue(logBytes)) {
        freeze(logBytes);
      }
    } else if (isRequested && isTooLarge) {
      isRecordNeeded = true;
      nextCheckBytes = 0;
    }
    worker.setUrgent(isTooLarge || checksToSkip > 0);
  }

  private boolean isDue(long logBytes) {
    long live = liveBytes;
    long logSince = kept.logBytesAfterNewest(logBytes);
    return isIntervalOver
        || schedule.isDueByBytes(logSince, live)
        || (isDiskLow.getAsBoolean() && schedule.isDueByLowDisk(logSince, live));
  }

  private boolean isTooLarge(long logBytes) {
    return schedule.isDueByHeld(kept.heldBytes(logBytes), liveBytes, isDiskLow.getAsBoolean());
  }

  private void freeze(long logBytes) {
    long startNs = nanoTime.getAsLong();
    frozen = machine.freeze(copiesBytesMax());
    frozenLogBytes = logBytes;
    if (ids != null) {
      ids.cut();
    }
    worker.write(frozen, nanoTime.getAsLong() - startNs);
  }

  /**
   * Data changed while the snapshot is written is copied first. Beyond this many bytes of copies,
   * commands wait for the writer instead of running out of memory. No limit if the same thread
   * writes, because it would then wait forever.
   */
  private long copiesBytesMax() {
    if (!isWriterBeside) {
      return Long.MAX_VALUE;
    }
    long room = memoryBytesMax - machine.memoryBytes();
    return Math.max(memoryBytesMax / COPIES_PART_LEAST, room / 2);
  }

  private void thaw() {
    long writtenBytes = worker.writtenBytes();
    if (writtenBytes > 0) {
      kept.add(frozen.sequence(), writtenBytes, frozenLogBytes);
      nextCheckBytes = 0;
      failures = 0;
      checksToSkip = 0;
    } else {
      nextCheckBytes = log.appendedBytes() + RETRY_CHECKS * checkBytes;
      failures++;
      checksToSkip = Math.min(failures, CHECKS_SKIPPED_MAX);
      worker.setUrgent(true);
    }
    frozen = null;
    machine.thaw();
  }

  /** Approximate size of a snapshot, as of the last check. Any thread. */
  public long liveBytes() {
    return liveBytes;
  }

  /** Any thread. */
  public SnapshotStats stats() {
    return worker.stats();
  }

  /** Abandons a snapshot in progress; nothing is written or deleted afterwards. */
  @Override
  public void close() {
    Closing.all(running, worker::clear, frozen == null ? null : this::thaw);
  }
}
