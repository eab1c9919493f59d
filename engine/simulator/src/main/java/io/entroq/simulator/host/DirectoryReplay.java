package io.entroq.simulator.host;

import io.entroq.api.Durability;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.SimulatedDisk;
import java.nio.file.Path;

/**
 * Recovers the state of a directory in a process that changes nothing: what the next engine would
 * find. One thread.
 */
final class DirectoryReplay {
  private static final Forcer NONE = (what, action) -> {};

  private final SimulatedDisk disk;
  private final String directory;
  private final Durability durability;

  DirectoryReplay(SimulatedDisk disk, String directory, Durability durability) {
    this.disk = disk;
    this.directory = directory;
    this.durability = durability;
  }

  /**
   * Recovers the state.
   *
   * @param sink receives the answers of the replayed records
   * @return the state, which the caller closes
   */
  StateMachine run(ResultSink sink) {
    DiskProcess reader = disk.startProcess();
    try {
      Path path = reader.path(directory);
      return new StateRecovery(
              LogDirectory.read(path),
              new SnapshotDirectory(path, NONE),
              HolePolicy.of(durability),
              NONE,
              StateMachineConfig.DEFAULT,
              warning -> {})
          .recover(sink)
          .machine();
    } finally {
      reader.die();
    }
  }
}
