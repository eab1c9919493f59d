package io.entroq.engine.history;

import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryException.Reason;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.recovery.LogRecovery;
import io.entroq.engine.recovery.SnapshotWarning;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Instant;
import java.util.Collection;
import org.agrona.DirectBuffer;

/**
 * Restores the state of a point: loads the newest good snapshot at or before it and replays the log
 * up to it. What comes after the point is not read, so damage there does not matter.
 */
public final class StateAt {
  private static final int STEPS_BETWEEN_CHECKS = 1_024;

  /** A loaded state takes more memory than its file. */
  private static final int MEMORY_FACTOR = 2;

  private final HistoryDirectory directory;
  private final ReplayBudget.Share memory;
  private final ReplayWatch watch;
  private final LogRecovery recovery;

  /**
   * @param memoryBytesMax most bytes outside the heap for the state
   */
  public StateAt(HistoryDirectory directory, long memoryBytesMax, ReplayWatch watch) {
    this(directory, ReplayBudget.ofOne(memoryBytesMax), watch);
  }

  /**
   * Restores a state that is not the only one.
   *
   * @param memory of the state; the caller gives it back
   */
  public StateAt(HistoryDirectory directory, ReplayBudget.Share memory, ReplayWatch watch) {
    this.directory = directory;
    this.memory = memory;
    this.watch = watch;
    this.recovery = new LogRecovery(directory.log(), directory.policy(), Forcer.DISK);
  }

  /** Is called for each record that is replayed. */
  interface StepListener {
    StepListener NONE = new StepListener() {};

    /** The record is applied next. */
    default void before(StateMachine machine, long sequence, long logTimeMs) {}

    /** The record was applied. */
    default void after(StateMachine machine) {}
  }

  /**
   * The state after the last step of a point. Log time stands still there.
   *
   * @return the state, which the caller closes
   * @throws HistoryException if the point is not kept, not reached, needs too much memory, or the
   *     watch gave up
   * @throws LogDamagedException if the log is damaged before the point
   * @throws io.entroq.engine.log.LogException if it cannot be read
   */
  public StateMachine open(HistoryPoint point) {
    StateMachine machine = replay(point, point, StepListener.NONE);
    if (machine.sequence() == 0) {
      machine.close();
      throw noStep(point);
    }
    return machine;
  }

  /**
   * Replays to a point from a snapshot of an earlier one.
   *
   * @param base the snapshot is not after this point
   * @return the state at {@code until}, which the caller closes
   */
  StateMachine replay(HistoryPoint base, HistoryPoint until, StepListener listener) {
    return replay(load(base), base, until, listener);
  }

  /**
   * Replays on to a later point.
   *
   * @param machine a state that was replayed; closed if this fails
   * @return the same state
   */
  StateMachine replayOn(StateMachine machine, HistoryPoint until, StepListener listener) {
    return replay(machine, until, until, listener);
  }

  private StateMachine replay(
      StateMachine machine, HistoryPoint base, HistoryPoint until, StepListener listener) {
    try {
      requireMemory(machine.memoryBytes(), machine.sequence());
      if (endsBefore(machine, until, listener)) {
        requireReached(base, machine);
        requireReached(until, machine);
      }
      // Many replays are too short for a check of their own, and others must know what is left.
      requireMemory(machine.memoryBytes(), machine.sequence());
      return machine;
    } catch (LogDamagedException e) {
      long last = machine.sequence();
      machine.close();
      throw new LogDamagedException(
          "The history in %s can be read up to record %,d. %s"
              .formatted(directory.path(), last, e.getMessage()),
          e.file(),
          e.offset(),
          e.sequence());
    } catch (RuntimeException | Error e) {
      machine.close();
      throw e;
    }
  }

  /** Replays to a point; returns whether the log ends first. */
  private boolean endsBefore(StateMachine machine, HistoryPoint until, StepListener listener) {
    long sequence = machine.sequence();
    if (sequence >= until.sequence()) {
      return false;
    }
    int tag = sequence == 0 ? 0 : ChunkFrame.logTag(machine.logIdLow());
    try {
      recovery.readAfter(
          sequence, tag, machine.logTimeMs(), new Replaying(machine, until, listener));
      return true;
    } catch (PointReachedException e) {
      return false;
    }
  }

  /** Checks that the log reaches a step that a point names. */
  private void requireReached(HistoryPoint point, StateMachine machine) {
    if (point.isStep() && machine.sequence() < point.sequence()) {
      long last = machine.sequence();
      throw new HistoryException(
          Reason.FUTURE,
          last,
          "There is no record %,d in %s: the log ends with record %,d, at %s."
              .formatted(point.sequence(), directory.path(), last, time(machine.logTimeMs())));
    }
  }

  /** What need not be replayed if only some tasks matter. */
  Skips skips(Collection<IdKey> ids) {
    return Skips.of(directory, ids);
  }

  /**
   * The sequence of the newest snapshot that a point includes and that seems good; 0 if there is
   * none, but the whole log.
   *
   * @throws HistoryException if there is neither
   */
  long base(HistoryPoint point) {
    for (Snapshot snapshot : directory.snapshots().newestFirst()) {
      Manifest manifest = directory.snapshots().reader(snapshot).manifestIfGood();
      if (manifest != null && point.includes(manifest.sequence(), manifest.logTimeMs())) {
        return manifest.sequence();
      }
    }
    if (!directory.hasFirstRecord()) {
      throw gone(point);
    }
    return 0;
  }

  /** The newest good snapshot that a point includes, or else an empty state. */
  private StateMachine load(HistoryPoint base) {
    SnapshotDirectory snapshots = directory.snapshots();
    for (Snapshot snapshot : snapshots.newestFirst()) {
      if (snapshot.sequence() <= base.sequence()) {
        try {
          Manifest manifest = snapshots.reader(snapshot).manifest();
          if (base.includes(manifest.sequence(), manifest.logTimeMs())) {
            return load(snapshot, manifest);
          }
        } catch (SnapshotDamagedException e) {
          // An older one and more of the log lead to the same state.
          SnapshotWarning.log(e);
        }
      }
    }
    if (!directory.hasFirstRecord()) {
      throw gone(base);
    }
    return new StateMachine(StateMachineConfig.DEFAULT);
  }

  /**
   * The state of a snapshot, which the caller closes.
   *
   * @throws SnapshotDamagedException if it is damaged
   * @throws HistoryException if it needs too much memory or the watch gave up
   */
  StateMachine load(Snapshot snapshot, Manifest manifest) {
    requireMemory(manifest.stateBytes() * MEMORY_FACTOR, manifest.sequence());
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    ChunkSink watched =
        (kind, items, buffer, offset, length) -> {
          requireWanted(0);
          loader.onChunk(kind, items, buffer, offset, length);
        };
    try {
      directory.snapshots().reader(snapshot).read(watched);
      return loader.finish();
    } catch (OutOfMemoryError e) {
      loader.close();
      throw recovery.noMemory("in the snapshot at record %,d".formatted(snapshot.sequence()), e);
    } catch (ImageException e) {
      loader.close();
      throw new SnapshotDamagedException(snapshot.state(), 0, e.getMessage());
    } catch (RuntimeException | Error e) {
      loader.close();
      throw e;
    }
  }

  private void requireWanted(long sequence) {
    if (!watch.onProgress(sequence)) {
      throw new HistoryException(
          Reason.ABANDONED,
          sequence,
          "Reading the history in %s was abandoned at record %,d."
              .formatted(directory.path(), sequence));
    }
  }

  private void requireMemory(long bytes, long sequence) {
    if (bytes > memory.bytesMax()) {
      throw new HistoryException(
          Reason.MEMORY,
          sequence,
          ("The state in %s at record %,d takes about %,d bytes of memory, and %,d are allowed. Start"
                  + " the JVM with a larger -XX:MaxDirectMemorySize.")
              .formatted(directory.path(), sequence, bytes, memory.bytesMax()));
    }
    if (!memory.take(bytes)) {
      throw new HistoryException(
          Reason.MEMORY,
          sequence,
          ("The state in %s at record %,d takes about %,d bytes of memory, which others that read the"
                  + " history have. Try again later, or allow more memory for them.")
              .formatted(directory.path(), sequence, bytes));
    }
  }

  private HistoryException gone(HistoryPoint point) {
    long first = directory.first();
    String kept =
        first == Long.MAX_VALUE
            ? "the log does not begin with its first record, and there is no good snapshot"
            : "the first point that is kept is record %,d, at %s"
                .formatted(first, time(logTimeMs(first)));
    return new HistoryException(
        Reason.GONE,
        first,
        "%s is no longer kept in %s: %s."
            .formatted(
                point.isStep() ? "Record %,d".formatted(point.sequence()) : "The state at " + point,
                directory.path(),
                kept));
  }

  private long logTimeMs(long snapshot) {
    return directory
        .snapshots()
        .find(snapshot)
        .map(found -> directory.snapshots().reader(found).manifest().logTimeMs())
        .orElse(0L);
  }

  private HistoryException noStep(HistoryPoint point) {
    return new HistoryException(
        Reason.GONE,
        1,
        "The log in %s has no record up to %s."
            .formatted(directory.path(), point.isStep() ? point.sequence() : time(point.timeMs())));
  }

  private static String time(long timeMs) {
    return Instant.ofEpochMilli(timeMs).toString();
  }

  /** Ends a scan when the point is reached. */
  private static final class PointReachedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PointReachedException() {
      super("point reached", null, false, false);
    }
  }

  private final class Replaying implements RecordHandler {
    private final StateMachine machine;
    private final RecordHandler into;
    private final HistoryPoint until;
    private final StepListener listener;
    private int steps;

    Replaying(StateMachine machine, HistoryPoint until, StepListener listener) {
      this.machine = machine;
      this.into = LogRecovery.into(machine, ResultSink.DISCARDING);
      this.until = until;
      this.listener = listener;
    }

    @Override
    public void onRecord(
        int type,
        long sequence,
        long logTimeMs,
        int payloadCrc,
        DirectBuffer payload,
        int offset,
        int length) {
      if (!until.includes(sequence, logTimeMs)) {
        throw new PointReachedException();
      }
      listener.before(machine, sequence, logTimeMs);
      into.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      listener.after(machine);
      steps++;
      if (steps % STEPS_BETWEEN_CHECKS == 0) {
        requireWanted(sequence);
        requireMemory(machine.memoryBytes(), sequence);
      }
      if (sequence == until.sequence()) {
        // The next one may be damaged.
        throw new PointReachedException();
      }
    }
  }
}
