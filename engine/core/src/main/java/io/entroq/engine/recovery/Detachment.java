package io.entroq.engine.recovery;

import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Makes the directory of a cluster's member that of an engine, once its mirror has shown that it
 * makes a state. There is no way back: from then on its log may say what the cluster never agreed
 * to.
 */
public final class Detachment {
  private final Path directory;
  private final Forcer forcer;

  /**
   * @param directory of a member that is not running
   */
  public Detachment(Path directory) {
    this(directory, Forcer.DISK);
  }

  Detachment(Path directory, Forcer forcer) {
    this.directory = directory;
    this.forcer = forcer;
  }

  /**
   * What the engine will begin with.
   *
   * @param sequence the last record
   * @param historyDigest see {@link StateMachine#historyDigest}
   * @param contentDigest see {@link StateMachine#contentDigest}
   */
  public record Found(long sequence, long historyDigest, long contentDigest) {}

  /**
   * Reads all that an engine would, forces log and snapshots, and gives the directory away. Takes
   * as much memory as an engine.
   *
   * @throws LogException if it is no member's, in use, has no whole log, or cannot be forced;
   *     nothing was changed
   */
  public Found run() {
    if (!ClusterMemberMarker.isIn(directory)) {
      throw LogException.error(
          ClusterMemberMarker.isDetached(directory)
              ? "%s was detached before.".formatted(directory.toAbsolutePath())
              : "%s does not belong to a member of a cluster: there is nothing to detach."
                  .formatted(directory.toAbsolutePath()));
    }
    // Before anything is made there: it may be the directory of a member without a mirror.
    LogDirectory.read(directory);
    try (DirectoryLock lock = DirectoryLock.acquire(directory, ProcessHandle.current().pid())) {
      LogDirectory log = LogDirectory.ofMember(directory, lock);
      SnapshotDirectory snapshots = new SnapshotDirectory(directory, forcer);
      Found found = check(log, snapshots);
      // A member forces nothing of its mirror, and an engine says of what it adds that all before
      // it is on the disk.
      new LogRecovery(log, HolePolicy.REFUSE, forcer).forceAll();
      snapshots.force();
      ClusterMemberMarker.detach(directory, forcer);
      return found;
    } catch (IOException e) {
      throw LogException.error(
          "Cannot detach %s: %s".formatted(directory.toAbsolutePath(), FileErrors.describe(e)), e);
    }
  }

  private Found check(LogDirectory log, SnapshotDirectory snapshots) {
    StateRecovery recovery =
        new StateRecovery(
            log,
            snapshots,
            HolePolicy.REFUSE,
            forcer,
            StateMachineConfig.DEFAULT,
            SnapshotWarning::log);
    try (StateMachine machine = recovery.recover(ResultSink.DISCARDING).machine()) {
      if (machine.sequence() == 0) {
        throw LogException.error(
            "There is no record in the mirror of %s: there is nothing to detach."
                .formatted(directory.toAbsolutePath()));
      }
      return new Found(machine.sequence(), machine.historyDigest(), machine.contentDigest());
    }
  }
}
