package io.entroq.cluster.member;

import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.engine.Trees;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The backup that a cluster started from, restored in a member's directory. The cluster's log
 * continues it. Needed until the member has snapshots of its own.
 */
final class MemberSeed {
  /** In the member's directory; laid out like an engine's directory. */
  static final String NAME = "seed";

  private static final String DELETING = "seed.tmp";
  private final Path directory;
  private final Path seed;

  MemberSeed(Path directory) {
    this.directory = directory;
    this.seed = directory.resolve(NAME);
  }

  boolean exists() {
    return Files.isDirectory(seed);
  }

  /**
   * Loads and replays the seed.
   *
   * @return the state, to be closed by the caller; null if there is no seed, or the member has a
   *     snapshot, which is newer
   * @throws LogException if the seed is damaged
   * @throws MemberException if the seed is empty
   */
  StateMachine load(RecordingLogFile recordingLog) {
    if (!exists() || recordingLog.hasSnapshot()) {
      return null;
    }
    StateMachine machine =
        new StateRecovery(
                LogDirectory.read(seed),
                new SnapshotDirectory(seed, Forcer.DISK),
                HolePolicy.REFUSE,
                Forcer.DISK,
                StateMachineConfig.DEFAULT,
                MemberSeed::refuse)
            .recover(ResultSink.DISCARDING)
            .machine();
    if (machine.sequence() == 0) {
      machine.close();
      throw new MemberException(
          "%s is empty: the restore did not finish. Empty %s and restore the backup again"
              .formatted(seed.toAbsolutePath(), directory.toAbsolutePath()));
    }
    return machine;
  }

  /** The restore has verified the seed, so the disk is at fault: do not use an older snapshot. */
  private static void refuse(RuntimeException why) {
    throw LogException.error(why.getMessage(), why);
  }

  /** Deletes the seed. */
  void delete() {
    try {
      Path deleting = directory.resolve(DELETING);
      Trees.delete(deleting);
      if (exists()) {
        // Renamed first, so that a partly deleted seed is never taken for a complete one.
        Files.move(seed, deleting);
        LogDirectory.force(directory);
        Trees.delete(deleting);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("deleting " + seed, e);
    }
  }
}
