package io.entroq.engine.maintenance;

import io.entroq.engine.Closing;
import io.entroq.engine.fault.FaultHook;
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
 * Starts snapshots on the applying thread: freezes the state when one is due, hands it to the
 * {@link MaintenanceWorker}, and thaws it when that is done.
 *
 * <p>Called by the applying thread; {@link #stats} by any.
 */
public final class Maintenance implements AutoCloseable {
  /** At most so many bytes of log between two looks at whether a snapshot is due. */
  private static final long LOOK_BYTES_MAX = 1 << 20;

  /** So small a part of the memory may always go into copies; it is in what others are left. */
  private static final int COPIES_PART_LEAST = 16;

  /** After one that failed, so many looks by bytes of log go by before the next try. */
  private static final int RETRY_LOOKS = 16;

  /**
   * Or as many looks, one a second, as have failed in a row, up to this: where nothing more can be
   * logged, only time brings the next try.
   */
  private static final int LOOKS_SKIPPED_MAX = 30;

  private final StateMachine machine;
  private final CommandLog log;
  private final SnapshotSchedule schedule;
  private final RetainedSnapshots kept;
  private final MaintenanceWorker desk;
  private final AutoCloseable running;
  private final boolean isWriterBeside;
  private final long memoryBytesMax;
  private final BooleanSupplier isDiskLow;
  private final LongSupplier nanoTime;
  private final long lookBytes;

  private FrozenState frozen;
  private long frozenLogBytes;
  private long nextLookBytes;
  private boolean isRecordNeeded;
  private int failures;
  private int looksToSkip;

  /** Whether time has passed, and nobody has looked since what that means. */
  private boolean isAsking;

  /** Whether a look came while what the last snapshot lets go was still being deleted. */
  private boolean isPutOff;

  private volatile long liveBytes;

  /**
   * Has the writing begun.
   *
   * @param state as it was recovered, and is now kept in the log
   * @param memoryBytesMax how much memory outside the heap the state may take
   * @param space says whether room on the disk is short, and what a snapshot has to leave free
   * @param wakeEngine lets the engine's thread call {@link #poll} though no command comes
   * @param runner who writes
   * @param nanoTime the time by which intervals pass, in nanoseconds from any origin; any thread
   */
  public static Maintenance start(
      MaintenanceConfig config,
      LogDirectory directory,
      SnapshotDirectory snapshots,
      RecoveredState state,
      CommandLog log,
      long memoryBytesMax,
      SpaceGuard space,
      Runnable wakeEngine,
      MaintenanceRunner runner,
      LongSupplier nanoTime,
      FaultHook faults) {
    DirectoryMaintenance work =
        new DirectoryMaintenance(
            log,
            new SnapshotWriter(snapshots, space.floorBytes()),
            new ObsoleteFiles(directory, snapshots, config.readerBytesMax(), faults),
            faults);
    MaintenanceWorker desk =
        new MaintenanceWorker(
            work,
            config.snapshotInterval(),
            space::isLow,
            wakeEngine,
            figures(state),
            nanoTime,
            faults);
    return new Maintenance(
        state.machine(),
        log,
        config,
        kept(state),
        desk,
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

  private static SnapshotStats figures(RecoveredState state) {
    Manifest newest = state.snapshot();
    return newest == null
        ? SnapshotStats.NONE
        : new SnapshotStats(0, 0, newest.sequence(), newest.stateBytes(), 0, 0, 0, 0);
  }

  Maintenance(
      StateMachine machine,
      CommandLog log,
      MaintenanceConfig config,
      RetainedSnapshots kept,
      MaintenanceWorker desk,
      MaintenanceRunner runner,
      long memoryBytesMax,
      BooleanSupplier isDiskLow,
      LongSupplier nanoTime) {
    this.machine = machine;
    this.log = log;
    this.schedule = new SnapshotSchedule(config);
    this.kept = kept;
    this.desk = desk;
    this.isWriterBeside = runner.isBesideCommands();
    this.memoryBytesMax = memoryBytesMax;
    this.isDiskLow = isDiskLow;
    this.nanoTime = nanoTime;
    this.lookBytes = Math.min(LOOK_BYTES_MAX, config.snapshotLogBytes() / 4);
    this.running = runner.run(desk);
  }

  /** Does what is due, which mostly is nothing; to be called after commands, and when woken. */
  public void poll() {
    if (frozen != null) {
      if (desk.isWritten()) {
        thaw();
      }
    } else if (log.appendedBytes() >= nextLookBytes || hasQuestion()) {
      look();
    }
  }

  /** Whether {@link #poll} has something to do though no command has come. */
  public boolean hasNews() {
    return frozen == null ? hasQuestion() : desk.isWritten();
  }

  private boolean hasQuestion() {
    return desk.isAsking() || desk.isLookWanted() || (isPutOff && desk.isIdle());
  }

  /**
   * Whether a record has to be logged, one that changes nothing, before the next snapshot makes
   * sense: nothing has happened since the last one, and the one before it is too large to keep. The
   * next {@link #poll} then takes the snapshot.
   */
  public boolean isRecordNeeded() {
    return isRecordNeeded;
  }

  private void look() {
    isAsking |= desk.takeQuestion();
    boolean isPressed = desk.isLookWanted();
    desk.lookTaken();
    if (isPressed && !isAsking && looksToSkip > 0) {
      looksToSkip--;
      return;
    }
    long logBytes = log.appendedBytes();
    nextLookBytes = logBytes + lookBytes;
    liveBytes = machine.liveBytes();
    isRecordNeeded = false;
    isPutOff = !desk.isIdle();
    if (!isPutOff) {
      decide(logBytes, isAsking || isPressed);
      isAsking = false;
    }
  }

  private void decide(long logBytes, boolean isAsked) {
    boolean isTooMuchHeld = isTooMuchHeld(logBytes);
    if (machine.sequence() > kept.newestSequence()) {
      if (isTooMuchHeld || isDue(logBytes)) {
        freeze(logBytes);
      }
    } else if (isAsked && isTooMuchHeld) {
      isRecordNeeded = true;
      nextLookBytes = 0;
    }
    desk.press(isTooMuchHeld || looksToSkip > 0);
  }

  private boolean isDue(long logBytes) {
    long live = liveBytes;
    long behind = kept.logBytesBehindNewest(logBytes);
    return isAsking
        || schedule.isDueByBytes(behind, live)
        || (isDiskLow.getAsBoolean() && schedule.isDueByLowDisk(behind, live));
  }

  private boolean isTooMuchHeld(long logBytes) {
    return schedule.isDueByHeld(kept.heldBytes(logBytes), liveBytes, isDiskLow.getAsBoolean());
  }

  private void freeze(long logBytes) {
    long startNs = nanoTime.getAsLong();
    frozen = machine.freeze(copiesBytesMax());
    frozenLogBytes = logBytes;
    desk.write(frozen, nanoTime.getAsLong() - startNs);
  }

  /**
   * What is changed while the snapshot is written is copied first. Past this many bytes of copies
   * commands wait for the writer, rather than for memory that there is not; unless it is the same
   * thread that would write, and so never would.
   */
  private long copiesBytesMax() {
    if (!isWriterBeside) {
      return Long.MAX_VALUE;
    }
    long room = memoryBytesMax - machine.memoryBytes();
    return Math.max(memoryBytesMax / COPIES_PART_LEAST, room / 2);
  }

  private void thaw() {
    long writtenBytes = desk.writtenBytes();
    if (writtenBytes > 0) {
      kept.add(frozen.sequence(), writtenBytes, frozenLogBytes);
      nextLookBytes = 0;
      failures = 0;
      looksToSkip = 0;
    } else {
      nextLookBytes = log.appendedBytes() + RETRY_LOOKS * lookBytes;
      failures++;
      looksToSkip = Math.min(failures, LOOKS_SKIPPED_MAX);
      desk.press(true);
    }
    frozen = null;
    machine.thaw();
  }

  /** What a snapshot would take, as seen at the last look. Any thread. */
  public long liveBytes() {
    return liveBytes;
  }

  /** How snapshots have gone. Any thread. */
  public SnapshotStats stats() {
    return desk.stats();
  }

  /** Gives up a snapshot that is being written; nothing is written or deleted afterwards. */
  @Override
  public void close() {
    Closing.all(running, desk::clear, frozen == null ? null : this::thaw);
  }
}
