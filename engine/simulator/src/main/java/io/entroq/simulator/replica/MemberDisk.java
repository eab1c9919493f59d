package io.entroq.simulator.replica;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.replica.ClientHosts;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.Damage;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.virtual.SeededRandom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/** The disk of a member and its snapshots, over all lives of the member. One thread. */
final class MemberDisk {
  /** The directory of the snapshots. */
  static final String DATA = "/data";

  private static final char SEPARATOR = '/';
  private static final int SNAPSHOTS_KEPT = 2;

  private final Set<String> damaged = new HashSet<>();

  /** By the record of a snapshot. */
  private final Long2ObjectHashMap<ClusterState> clusterState = new Long2ObjectHashMap<>();

  private SimulatedDisk disk = new SimulatedDisk();
  private DiskProcess process;
  private SnapshotDirectory snapshots;
  private long newest;
  private String newestDirectory = "";
  private long oldest;

  /**
   * What a cluster stores with a snapshot. Never damaged here.
   *
   * @param index the newest entry in the snapshot
   * @param holders the encoded {@link ClientHosts}
   */
  record ClusterState(long index, DirectBuffer holders) {
    static final ClusterState NOTHING = new ClusterState(0, new UnsafeBuffer(new byte[0]));
  }

  /** The cluster state of the snapshot at a record. */
  ClusterState clusterState(long sequence) {
    return clusterState.get(sequence);
  }

  /** Starts a process. */
  void open() {
    process = disk.startProcess();
    Path data = process.path(DATA);
    try (FileChannel root = FileChannel.open(data.getParent(), StandardOpenOption.READ)) {
      if (!Files.isDirectory(data)) {
        Files.createDirectory(data);
        root.force(true);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    snapshots = new SnapshotDirectory(data, Forcer.DISK);
    snapshots.removeUnfinished();
  }

  /** The process dies, if there is one. */
  void die() {
    disk.faults().disarm();
    if (process != null) {
      process.die();
    }
  }

  /** Cancels {@link #dieIn}. */
  void disarm() {
    disk.faults().disarm();
  }

  void losePower(SeededRandom random) {
    disk.losePower(random);
  }

  /** The process will die in one of its next calls. */
  void dieIn(int calls, boolean inTheMiddle) {
    disk.faults().dieIn(calls, inTheMiddle);
  }

  /** Replaces the disk by an empty one. */
  void replace() {
    disk = new SimulatedDisk();
    damaged.clear();
    clusterState.clear();
    newest = 0;
    newestDirectory = "";
    oldest = 0;
  }

  /** The record of the oldest snapshot that is kept; 0: none. */
  long oldest() {
    return oldest;
  }

  /** The newest entry in the oldest snapshot. */
  long oldestIndex() {
    return oldest == 0 ? 0 : clusterState(oldest).index();
  }

  /** The record of the newest complete snapshot; 0: none. */
  long newest() {
    return newest;
  }

  /** The disk itself, to damage it. */
  SimulatedDisk disk() {
    return disk;
  }

  /** Whether a snapshot may be damaged. */
  boolean isDamaged() {
    return !damaged.isEmpty();
  }

  void markDamaged(Damage damage) {
    damaged.add(damage.path().substring(0, damage.path().lastIndexOf(SEPARATOR)));
  }

  /**
   * Loads a state from a snapshot.
   *
   * @param passedOver how many of the newest to skip if there are older ones
   * @return null if there is none
   */
  StateMachine load(int passedOver) {
    List<Snapshot> found = snapshots.newestFirst();
    requireNewest(found);
    int from = Math.min(passedOver, Math.max(0, found.size() - 1));
    for (Snapshot each : found.subList(from, found.size())) {
      StateMachine machine = load(each);
      if (machine != null) {
        return machine;
      }
    }
    return from > 0 ? load(0) : null;
  }

  /** A snapshot with its final name survives process deaths and power losses. */
  private void requireNewest(List<Snapshot> found) {
    long there = found.isEmpty() ? 0 : found.get(0).sequence();
    Invariant.OPEN_FINDS_END.require(
        there >= newest || damaged.contains(newestDirectory),
        DATA,
        "the snapshot @" + newest,
        "none after @" + there);
  }

  private StateMachine load(Snapshot snapshot) {
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    try {
      snapshots.reader(snapshot).read(loader);
      return loader.finish();
    } catch (SnapshotDamagedException | ImageException e) {
      loader.close();
      Invariant.OPENS_UNDAMAGED.require(
          damaged.contains(snapshot.directory().toString()), snapshot.directory(), "a state", e);
      return null;
    } catch (RuntimeException | Error e) {
      loader.close();
      throw e;
    }
  }

  /** Writes a snapshot unless there is one at this record or later. */
  void write(StateMachine machine, long index, ClientHosts holders) {
    List<Snapshot> found = snapshots.newestFirst();
    if (!found.isEmpty() && found.get(0).sequence() >= machine.sequence()) {
      return;
    }
    ExpandableArrayBuffer bytes = new ExpandableArrayBuffer();
    int length = holders.write(bytes, machine);
    clusterState.put(
        machine.sequence(), new ClusterState(index, new UnsafeBuffer(bytes, 0, length)));
    FrozenState frozen = machine.freeze();
    try {
      Manifest manifest =
          new SnapshotWriter(snapshots, 0).write(frozen, at -> {}, () -> false, written -> {});
      newestDirectory = directories().get(0);
      newest = manifest.sequence();
      damaged.remove(newestDirectory);
    } finally {
      frozen.release();
      machine.thaw();
    }
    oldest = Math.max(oldest, snapshots.keepNewest(SNAPSHOTS_KEPT, at -> false));
    clusterState.keySet().removeIf(sequence -> sequence < oldest);
    // Removed snapshots no longer count as damaged.
    damaged.retainAll(directories());
  }

  /** The directories of all snapshots, the newest first. */
  private List<String> directories() {
    return snapshots.newestFirst().stream().map(each -> each.directory().toString()).toList();
  }

  /** Whether there is a snapshot besides the newest. */
  boolean hasOlder() {
    return oldest > 0 && oldest < newest;
  }

  /** Whether the newest snapshot is undamaged. */
  boolean hasGood() {
    return newest > 0 && !damaged.contains(newestDirectory);
  }

  /** Copies the newest snapshot of another member; not while a process lives. */
  void copyFrom(MemberDisk other) {
    String from = other.newestDirectory + SEPARATOR;
    for (String path : other.disk.files(each -> each.startsWith(from))) {
      disk.write(path, other.disk.read(path));
    }
    newestDirectory = other.newestDirectory;
    damaged.remove(newestDirectory);
    newest = other.newest;
    oldest = other.newest;
    clusterState.put(newest, other.clusterState(newest));
  }
}
