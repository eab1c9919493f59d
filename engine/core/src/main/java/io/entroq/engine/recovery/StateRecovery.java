package io.entroq.engine.recovery;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.FirstRecordReader;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogWarning;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.log.scan.SegmentRemovedException;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.state.UnsupportedLevelException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * Recovers a state from the newest good snapshot and the log after it, or from the whole log. A
 * damaged snapshot is skipped, because an older one and more of the log lead to the same state.
 * Single use; not thread-safe.
 */
public final class StateRecovery {
  private static final RecordHandler NOTHING =
      (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {};

  private final LogDirectory directory;
  private final SnapshotDirectory snapshots;
  private final LogRecovery recovery;
  private final StateMachineConfig config;
  private final SnapshotWarning.Listener warning;

  /** Whether nothing may be modified or forced. */
  private boolean isReadOnly;

  /** Whether to load the state; otherwise only bytes are verified. */
  private boolean isLoaded = true;

  /** Gets the state before the log after it is replayed. */
  private Consumer<StateMachine> begun = machine -> {};

  private final List<String> skipped = new ArrayList<>();
  private long replayedBytes;

  /** The newest snapshot, good or not. */
  private Snapshot newest;

  private Manifest base;

  /**
   * @param snapshots of the same data directory
   * @param config memory configuration of the state
   * @param warning notified of each skipped snapshot
   */
  public StateRecovery(
      LogDirectory directory,
      SnapshotDirectory snapshots,
      HolePolicy policy,
      Forcer forcer,
      StateMachineConfig config,
      SnapshotWarning.Listener warning) {
    this.directory = directory;
    this.snapshots = snapshots;
    this.recovery = new LogRecovery(directory, policy, forcer);
    this.config = config;
    this.warning = warning;
  }

  /**
   * Creates one that modifies nothing.
   *
   * @param isLoaded whether to load the state; otherwise the result has no machine, and little
   *     memory is used
   */
  public static StateRecovery readOnly(
      LogDirectory directory,
      HolePolicy policy,
      boolean isLoaded,
      SnapshotWarning.Listener warning) {
    StateRecovery readOnly =
        new StateRecovery(
            directory,
            new SnapshotDirectory(directory.directory(), Forcer.DISK),
            policy,
            Forcer.DISK,
            StateMachineConfig.DEFAULT,
            warning);
    readOnly.isReadOnly = true;
    readOnly.isLoaded = isLoaded;
    return readOnly;
  }

  /**
   * Sets who gets the state before the log after it is replayed.
   *
   * @return this
   */
  public StateRecovery beginningWith(Consumer<StateMachine> consumer) {
    begun = consumer;
    return this;
  }

  /** The report of the log scan; null if the log was not read. */
  ScanReport found() {
    return recovery.found();
  }

  /** The snapshot it started from; null if there was none. */
  Manifest base() {
    return base;
  }

  /**
   * Recovers the state. Modifies nothing, but forces what was read unless read-only.
   *
   * @param sink receives the results of replayed commands
   * @throws LogDamagedException if the directory is damaged
   * @throws LogException if a file cannot be read or requires another build
   */
  public RecoveredState recover(ResultSink sink) {
    List<Snapshot> all = snapshots.newestFirst();
    newest = all.isEmpty() ? null : all.get(0);
    Set<Integer> tags = all.isEmpty() ? Set.of() : logTags();
    all.forEach(each -> requireInPlace(each, tags));
    for (Snapshot snapshot : all) {
      Loaded loaded = load(snapshot);
      if (loaded != null) {
        base = loaded.manifest;
        return replay(loaded.machine, loaded.manifest, all, snapshot, sink);
      }
    }
    return replay(isLoaded ? new StateMachine(config) : null, null, all, null, sink);
  }

  /** Rejects a snapshot that was renamed or belongs to another log. */
  private void requireInPlace(Snapshot snapshot, Set<Integer> tags) {
    Manifest manifest = snapshots.reader(snapshot).manifestIfGood();
    if (manifest == null) {
      return;
    }
    if (manifest.sequence() != snapshot.sequence()) {
      throw misplaced(
          snapshot,
          "it is of record %d, unlike its directory's name".formatted(manifest.sequence()));
    }
    if (!tags.isEmpty() && !tags.contains(manifest.logTag())) {
      throw misplaced(snapshot, "it belongs to another log");
    }
  }

  /** The log tags of the segments' first records. */
  private Set<Integer> logTags() {
    FirstRecordReader first = new FirstRecordReader();
    Set<Integer> tags = new HashSet<>();
    for (LogRun run : directory.runs()) {
      for (LogSegment segment : run.segments()) {
        try {
          if (first.sequenceOf(segment) != 0) {
            tags.add(first.logTag());
          }
        } catch (SegmentRemovedException e) {
          // A running engine has removed it.
        }
      }
    }
    return tags;
  }

  private static LogDamagedException misplaced(Snapshot snapshot, String why) {
    String message =
        "%s does not belong there: %s. Move it away from %s."
            .formatted(
                snapshot.directory().getFileName(),
                why,
                snapshot.directory().toAbsolutePath().getParent());
    return new LogDamagedException(message, snapshot.directory(), 0, snapshot.sequence());
  }

  private record Loaded(StateMachine machine, Manifest manifest) {}

  private Loaded load(Snapshot snapshot) {
    if (!isLoaded) {
      return check(snapshot);
    }
    StateLoader loader = new StateLoader(config);
    try {
      Manifest manifest = snapshots.reader(snapshot).read(loader);
      return new Loaded(loader.finish(), manifest);
    } catch (SnapshotDamagedException e) {
      skip(loader, e);
    } catch (ImageException e) {
      snapshots.distrust(snapshot);
      skip(loader, new SnapshotDamagedException(snapshot.state(), 0, e.getMessage()));
    } catch (UnsupportedLevelException e) {
      loader.close();
      throw LogException.error(
          "The snapshot in %s cannot be read by this build: %s"
              .formatted(snapshot.directory(), e.getMessage()),
          e);
    } catch (OutOfMemoryError e) {
      loader.close();
      throw recovery.noMemory("in the snapshot at record %,d".formatted(snapshot.sequence()), e);
    } catch (RuntimeException | Error e) {
      loader.close();
      throw e;
    }
    return null;
  }

  private Loaded check(Snapshot snapshot) {
    try {
      return new Loaded(null, snapshots.reader(snapshot).verify());
    } catch (SnapshotDamagedException e) {
      skip(e);
      return null;
    }
  }

  private void skip(StateLoader loader, SnapshotDamagedException e) {
    loader.close();
    skip(e);
  }

  private void skip(SnapshotDamagedException why) {
    skipped.add(why.trouble() + ".");
    warning.onSkipped(why);
  }

  private RecoveredState replay(
      StateMachine machine, Manifest snapshot, List<Snapshot> all, Snapshot used, ResultSink sink) {
    try {
      long othersBytes = sizeOfOthers(all, used);
      if (machine != null) {
        begun.accept(machine);
      }
      RecoveredLog log =
          replay(snapshot, counting(machine == null ? NOTHING : LogRecovery.into(machine, sink)));
      if (newest != null && log.sequence() < newest.sequence()) {
        throw log.isEmpty() ? lostLog() : lostTail(log.report());
      }
      if (!isReadOnly) {
        // Only after it is known that nothing is missing: a refusal must change nothing.
        log = recovery.settle(log);
        log.report().warnings().forEach(LogWarning::log);
      }
      return new RecoveredState(machine, log, snapshot, othersBytes, replayedBytes);
    } catch (LogDamagedException e) {
      CloseHelper.close(machine);
      throw skipped.isEmpty() ? e : withSkipped(e);
    } catch (RuntimeException | Error e) {
      CloseHelper.close(machine);
      throw e;
    }
  }

  private RecoveredLog replay(Manifest snapshot, RecordHandler handler) {
    long sequence = snapshot == null ? 0 : snapshot.sequence();
    int tag = snapshot == null ? 0 : snapshot.logTag();
    long timeMs = snapshot == null ? 0 : snapshot.logTimeMs();
    return recovery.readAfter(sequence, tag, timeMs, handler);
  }

  /** There are snapshots, so the log was lost; an empty one would start over. */
  private LogDamagedException lostLog() {
    return new LogDamagedException(
        ("The log in %s is damaged: it has no record, although it has snapshots. Put the missing"
                + " segments back, or restore the directory from a backup.")
            .formatted(directory.directory().toAbsolutePath()),
        directory.directory(),
        0,
        1);
  }

  /** The log was on the disk up to the snapshot when that was named, so its end was lost. */
  private LogDamagedException lostTail(ScanReport report) {
    long last = report.lastSequence();
    return new LogDamagedException(
        ("The log in %s is damaged: it ends with record %,d, although it was on the disk up to record"
                + " %,d when %s was taken. Put the missing segments back, or restore the directory"
                + " from a backup. Only if there is none: `entroq log repair %s --cut-at %d` accepts"
                + " the loss.")
            .formatted(
                directory.directory().toAbsolutePath(),
                last,
                newest.sequence(),
                newest.directory().getFileName(),
                directory.directory(),
                last + 1),
        report.endFile(),
        report.endOffset(),
        last + 1);
  }

  private LogDamagedException withSkipped(LogDamagedException e) {
    String message =
        e.getMessage() + " Before that, snapshots were skipped: " + String.join(" ", skipped);
    LogDamagedException all = new LogDamagedException(message, e.file(), e.offset(), e.sequence());
    all.addSuppressed(e);
    return all;
  }

  private RecordHandler counting(RecordHandler handler) {
    return (type, sequence, logTimeMs, payloadCrc, payload, offset, length) -> {
      replayedBytes += RecordFrame.HEADER_BYTES + length;
      handler.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
    };
  }

  /** Of those that are not used, without the history: what is older than the one before. */
  private static long sizeOfOthers(List<Snapshot> all, Snapshot used) {
    int end = used == null ? all.size() : Math.min(all.size(), all.indexOf(used) + 2);
    long bytes = 0;
    for (Snapshot each : all.subList(0, end)) {
      if (!each.equals(used)) {
        bytes += sizeOf(each);
      }
    }
    return bytes;
  }

  /** 0 if the file does not exist. */
  private static long sizeOf(Snapshot snapshot) {
    try {
      return Files.size(snapshot.state());
    } catch (IOException e) {
      return 0;
    }
  }
}
