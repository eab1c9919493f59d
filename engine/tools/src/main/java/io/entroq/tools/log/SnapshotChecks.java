package io.entroq.tools.log;

import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.state.UnsupportedLevelException;
import io.entroq.tools.terminal.Terminal;
import io.entroq.tools.terminal.WaitBar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.agrona.DirectBuffer;

/** Checks the snapshots of a data directory, oldest first. */
final class SnapshotChecks {
  private final SnapshotDirectory directory;

  SnapshotChecks(Path directory) {
    this.directory = new SnapshotDirectory(directory, Forcer.DISK);
  }

  /** A check; throws if the snapshot is bad. */
  private interface Check {
    Manifest of(Snapshot snapshot);
  }

  /** Reads the manifests only. */
  List<CheckedSnapshot> manifests() {
    return all(snapshot -> directory.reader(snapshot).manifest());
  }

  /** Verifies all bytes. */
  List<CheckedSnapshot> bytes() {
    return all(snapshot -> read(snapshot, (kind, items, buffer, offset, length) -> {}));
  }

  /** Loads each into a state. */
  List<CheckedSnapshot> states() {
    return all(
        snapshot -> {
          load(snapshot).close();
          return directory.reader(snapshot).manifest();
        });
  }

  private List<CheckedSnapshot> all(Check check) {
    List<CheckedSnapshot> checked = new ArrayList<>();
    for (Snapshot snapshot : directory.newestFirst()) {
      try {
        checked.add(new CheckedSnapshot(snapshot, check.of(snapshot), null));
      } catch (SnapshotDamagedException | ImageException | UnsupportedLevelException e) {
        // Ignore it if a running engine has removed it.
        if (Files.exists(snapshot.directory())) {
          checked.add(new CheckedSnapshot(snapshot, null, e.getMessage()));
        }
      } catch (OutOfMemoryError e) {
        checked.add(new CheckedSnapshot(snapshot, null, Replay.noMemory("loading it", e)));
      }
    }
    checked.sort(Comparator.comparingLong(each -> each.snapshot().sequence()));
    return checked;
  }

  /**
   * Loads the state in a snapshot.
   *
   * @throws SnapshotDamagedException if its bytes are damaged
   * @throws ImageException if they are not a valid state
   */
  StateMachine load(Snapshot snapshot) {
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    try {
      read(snapshot, loader);
      return loader.finish();
    } catch (RuntimeException | Error e) {
      loader.close();
      throw e;
    }
  }

  private Manifest read(Snapshot snapshot, ChunkSink to) {
    long bytes = LogReading.size(snapshot.state());
    try (WaitBar progress =
        WaitBar.ofBytes("reading snapshot", bytes, Terminal.isErrorAttached())) {
      return directory.reader(snapshot).read(new Watched(to, progress));
    }
  }

  private static final class Watched implements ChunkSink {
    private final ChunkSink to;
    private final WaitBar progress;
    private long bytes;

    Watched(ChunkSink to, WaitBar progress) {
      this.to = to;
      this.progress = progress;
    }

    @Override
    public void onChunk(int kind, int items, DirectBuffer buffer, int offset, int length) {
      to.onChunk(kind, items, buffer, offset, length);
      bytes += length;
      progress.at(bytes);
    }
  }
}
