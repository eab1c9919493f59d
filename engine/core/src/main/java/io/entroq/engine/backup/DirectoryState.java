package io.entroq.engine.backup;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.recovery.RecoveredState;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.nio.file.Path;

/**
 * The state that loading and replaying a data directory leads to.
 *
 * @param sequence the last record
 * @param logTimeMs its log time
 */
record DirectoryState(
    long sequence,
    long logTimeMs,
    long historyDigest,
    long contentDigest,
    long logIdHigh,
    long logIdLow,
    int level,
    long tasks) {
  /**
   * Loads and replays a directory without changing it.
   *
   * @throws LogException if anything in it is wrong
   */
  static DirectoryState of(Path directory) {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory, Forcer.DISK);
    RecoveredState recovered =
        new StateRecovery(
                LogDirectory.read(directory),
                snapshots,
                HolePolicy.REFUSE,
                Forcer.DISK,
                StateMachineConfig.DEFAULT,
                DirectoryState::refuse)
            .recover(ResultSink.DISCARDING);
    StateMachine machine = recovered.machine();
    try {
      if (recovered.log().report().isTorn()) {
        throw LogException.error(
            "The log in %s has a torn tail: %s at offset %d: %s"
                .formatted(
                    directory,
                    recovered.log().report().tornTail().file(),
                    recovered.log().report().tornTail().offset(),
                    recovered.log().report().tornTail().what()));
      }
      return of(directory, machine);
    } finally {
      machine.close();
    }
  }

  /** A copy has one snapshot, which must be good. */
  private static void refuse(RuntimeException why) {
    throw LogException.error(why.getMessage(), why);
  }

  private static DirectoryState of(Path directory, StateMachine machine) {
    if (machine.recomputeContentDigest() != machine.contentDigest()) {
      throw LogException.error(
          "The content digest of %s is %016x, but %016x when recomputed. Report this."
              .formatted(directory, machine.contentDigest(), machine.recomputeContentDigest()));
    }
    return new DirectoryState(
        machine.sequence(),
        machine.logTimeMs(),
        machine.historyDigest(),
        machine.contentDigest(),
        machine.logIdHigh(),
        machine.logIdLow(),
        machine.level(),
        machine.taskCount());
  }
}
