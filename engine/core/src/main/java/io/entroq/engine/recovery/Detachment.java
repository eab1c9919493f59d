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
 * Turns the directory of a cluster member into one of an engine, after checking that its mirror can
 * be opened. Irreversible, because the log may then diverge from the cluster's.
 */
public final class Detachment {
  private final Path directory;
  private final Forcer forcer;

  /**
   * @param directory data directory of a stopped member
   */
  public Detachment(Path directory) {
    this(directory, Forcer.DISK);
  }

  Detachment(Path directory, Forcer forcer) {
    this.directory = directory;
    this.forcer = forcer;
  }

  /**
   * The state that the engine will start with.
   *
   * @param sequence the last record
   * @param historyDigest see {@link StateMachine#historyDigest}
   * @param contentDigest see {@link StateMachine#contentDigest}
   */
  public record Found(long sequence, long historyDigest, long contentDigest) {}

  /**
   * Reads what an engine would, forces log and snapshots, and detaches the directory. Takes as much
   * memory as an engine.
   *
   * @throws LogException if the directory is not a member's, in use, has no complete log, or cannot
   *     be forced; nothing was changed
   */
  public Found run() {
    if (!ClusterMemberMarker.isIn(directory)) {
      throw LogException.error(
          ClusterMemberMarker.isDetached(directory)
              ? "%s is already detached.".formatted(directory.toAbsolutePath())
              : "%s does not belong to a member of a cluster: there is nothing to detach."
                  .formatted(directory.toAbsolutePath()));
    }
    // Before creating anything: the member may have no mirror.
    LogDirectory.read(directory);
    try (DirectoryLock lock = DirectoryLock.acquire(directory, ProcessHandle.current().pid())) {
      LogDirectory log = LogDirectory.ofMember(directory, lock);
      SnapshotDirectory snapshots = new SnapshotDirectory(directory, forcer);
      Found found = check(log, snapshots);
      // A member does not force its mirror, but an engine's records state that all before them is
      // on the disk.
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
            "The mirror in %s is empty: there is nothing to detach."
                .formatted(directory.toAbsolutePath()));
      }
      return new Found(machine.sequence(), machine.historyDigest(), machine.contentDigest());
    }
  }
}
