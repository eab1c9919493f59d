package io.entroq.tools.log;

import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.memory.InvariantBrokenException;
import io.entroq.engine.recovery.LogRecovery;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.state.UnsupportedLevelException;
import java.nio.file.Files;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Replays all records of a log, from the oldest snapshot if the beginning is missing, and compares
 * the digests at every snapshot. Ends at the first record that cannot be replayed.
 */
final class Replay implements RecordHandler, AutoCloseable {
  private final SnapshotChecks loader;
  private final List<CheckedSnapshot> snapshots;
  private StateMachine machine;
  private RecordHandler fold;
  private String problem;

  /**
   * @param snapshots the good ones, oldest first
   */
  Replay(SnapshotChecks loader, List<CheckedSnapshot> snapshots) {
    this.loader = loader;
    this.snapshots = snapshots;
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
    if (problem != null) {
      return;
    }
    try {
      if (machine == null) {
        begin(sequence);
      }
      if (problem != null) {
        return;
      }
      if (sequence > machine.sequence()) {
        fold.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      }
      compare(sequence);
    } catch (MalformedMessageException | InvariantBrokenException | UnsupportedLevelException e) {
      problem =
          ("Record %d (%s) is intact but cannot be replayed: %s. Use the build that wrote it, and"
                  + " report this.")
              .formatted(sequence, RecordType.name(type), e.getMessage());
    } catch (OutOfMemoryError e) {
      problem = noMemory("replaying record " + sequence, e);
    }
  }

  static String noMemory(String when, OutOfMemoryError e) {
    return "Not enough memory while %s: %s. Give the JVM more (-XX:MaxDirectMemorySize, -Xmx)."
        .formatted(when, e.getMessage());
  }

  private void begin(long first) {
    machine = first == 1 ? new StateMachine(StateMachineConfig.DEFAULT) : loaded(first);
    fold = LogRecovery.into(machine, ResultSink.DISCARDING);
  }

  private StateMachine loaded(long first) {
    for (CheckedSnapshot each : snapshots) {
      // A running engine may have removed it since the check; then use the next one.
      if (each.snapshot().sequence() >= first - 1 && Files.exists(each.snapshot().directory())) {
        return loader.load(each.snapshot());
      }
    }
    problem = missingBeginning(first);
    return new StateMachine(StateMachineConfig.DEFAULT);
  }

  /** The problem of a log that begins with this record and has no snapshot to replay from. */
  static String missingBeginning(long first) {
    return ("Records 1 to %,d are missing, and no good snapshot includes them. Put the missing snapshot"
            + " or segments back, or restore the directory from a backup.")
        .formatted(first - 1);
  }

  private void compare(long sequence) {
    for (CheckedSnapshot each : snapshots) {
      if (each.snapshot().sequence() == sequence && machine.sequence() == sequence) {
        compare(each.manifest());
      }
    }
  }

  private void compare(Manifest manifest) {
    boolean isEqual =
        machine.historyDigest() == manifest.historyDigest()
            && machine.contentDigest() == manifest.contentDigest()
            && machine.level() == manifest.level()
            && machine.logTimeMs() == manifest.logTimeMs()
            && machine.taskCount() == manifest.tasks();
    if (!isEqual) {
      problem =
          ("At record %,d, the state of the log differs from the snapshot: digests %016x and %016x, but"
                  + " %016x and %016x in the snapshot. Report this.")
              .formatted(
                  manifest.sequence(),
                  machine.historyDigest(),
                  machine.contentDigest(),
                  manifest.historyDigest(),
                  manifest.contentDigest());
    }
  }

  /** Why not all records could be replayed, or what is wrong with the state; null if nothing is. */
  String problem() {
    if (isUsable() && machine.recomputeContentDigest() != machine.contentDigest()) {
      return "The content digest after record %,d is %016x, but %016x when recomputed. Report this."
          .formatted(machine.sequence(), machine.contentDigest(), machine.recomputeContentDigest());
    }
    return problem;
  }

  /** Whether the machine has the state after all records. */
  boolean isUsable() {
    return problem == null && machine != null;
  }

  @Override
  public void close() {
    if (machine != null) {
      machine.close();
    }
  }
}
