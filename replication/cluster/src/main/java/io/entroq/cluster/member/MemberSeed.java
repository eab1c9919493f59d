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
 * The backup that a cluster has begun with, restored in the directory of a member: what its log
 * begins behind. It is needed until the member has snapshots of its own.
 */
final class MemberSeed {
  /** In the directory of a member; laid out as a data directory. */
  static final String NAME = "seed";

  private static final String SUPERFLUOUS = "seed.tmp";

  private final Path directory;
  private final Path place;

  MemberSeed(Path directory) {
    this.directory = directory;
    this.place = directory.resolve(NAME);
  }

  boolean isServing() {
    return Files.isDirectory(place);
  }

  /**
   * Loads and replays it.
   *
   * @return the state, the caller's, who closes it; null if there is none, or the member has a
   *     snapshot, which comes later
   * @throws LogException if it is damaged
   * @throws MemberException if there is nothing in it
   */
  StateMachine load(RecordingLogFile recordingLog) {
    if (!isServing() || recordingLog.hasSnapshot()) {
      return null;
    }
    StateMachine machine =
        new StateRecovery(
                LogDirectory.read(place),
                new SnapshotDirectory(place, Forcer.DISK),
                HolePolicy.REFUSE,
                Forcer.DISK,
                StateMachineConfig.DEFAULT,
                MemberSeed::refuse)
            .recover(ResultSink.DISCARDING)
            .machine();
    if (machine.sequence() == 0) {
      machine.close();
      throw new MemberException(
          "%s holds no state: the restore has not come to its end. Empty %s, and restore anew"
              .formatted(place.toAbsolutePath(), directory.toAbsolutePath()));
    }
    return machine;
  }

  /** What was restored has been read to its end, so what is wrong now is the disk. */
  private static void refuse(RuntimeException why) {
    throw LogException.error(why.getMessage(), why);
  }

  /** Removes it: the member has snapshots enough. */
  void drop() {
    try {
      Path superfluous = directory.resolve(SUPERFLUOUS);
      Trees.delete(superfluous);
      if (isServing()) {
        // Its name first: half a seed must not look like a whole one.
        Files.move(place, superfluous);
        LogDirectory.force(directory);
        Trees.delete(superfluous);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("removing " + place, e);
    }
  }
}
