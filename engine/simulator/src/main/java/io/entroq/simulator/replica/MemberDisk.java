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

/** The disk of a member, with its snapshots, over all lives of the member. One thread. */
final class MemberDisk {
  private static final String DATA = "/data";
  private static final char SEPARATOR = '/';
  private static final int SNAPSHOTS_KEPT = 2;

  private final Set<String> damaged = new HashSet<>();

  /** What belongs to each snapshot, by its record. */
  private final Long2ObjectHashMap<ClusterState> clusterState = new Long2ObjectHashMap<>();

  private SimulatedDisk disk = new SimulatedDisk();
  private DiskProcess process;
  private SnapshotDirectory snapshots;
  private long newest;
  private String newestDirectory = "";
  private long oldest;

  /**
   * What a cluster keeps beside a state, which is never damaged here.
   *
   * @param index the newest entry that is in the state
   * @param holders who held the callers then, as bytes
   */
  record ClusterState(long index, DirectBuffer holders) {
    static final ClusterState NOTHING = new ClusterState(0, new UnsafeBuffer(new byte[0]));
  }

  /** What belongs to the snapshot of a record. */
  ClusterState clusterState(long sequence) {
    return clusterState.get(sequence);
  }

  /** A process begins to use it. */
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

  /** The process is not to die in any call any more. */
  void disarm() {
    disk.faults().disarm();
  }

  /** The power fails. */
  void losePower(SeededRandom random) {
    disk.losePower(random);
  }

  /** The process is to die in one of its next calls. */
  void dieIn(int calls, boolean inTheMiddle) {
    disk.faults().dieIn(calls, inTheMiddle);
  }

  /** Another disk, with nothing on it, is in its place. */
  void replace() {
    disk = new SimulatedDisk();
    damaged.clear();
    clusterState.clear();
    newest = 0;
    newestDirectory = "";
    oldest = 0;
  }

  /** The record of the oldest snapshot that is counted on; 0: none is. */
  long oldest() {
    return oldest;
  }

  /** The newest entry that is in that one. */
  long oldestIndex() {
    return oldest == 0 ? 0 : clusterState(oldest).index();
  }

  /** The record of the newest snapshot that was written to its end; 0: none was. */
  long newest() {
    return newest;
  }

  /** The disk itself, for who damages it. */
  SimulatedDisk disk() {
    return disk;
  }

  /** Something on it is not as it was. */
  void markDamaged(Damage damage) {
    damaged.add(damage.path().substring(0, damage.path().lastIndexOf(SEPARATOR)));
  }

  /**
   * Makes a state from a snapshot.
   *
   * @param passedOver how many of the newest are left out if there are older ones
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

  /** What has got its name stays there, whatever happens to process and power. */
  private void requireNewest(List<Snapshot> found) {
    long there = found.isEmpty() ? 0 : found.get(0).sequence();
    Invariant.OPEN_FINDS_END.require(
        there >= newest || damaged.contains(newestDirectory),
        DATA,
        "the snapshot @" + newest,
        "none behind @" + there);
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

  /** Writes a snapshot, unless there is one of that record or a later one. */
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
    // What is gone is not damaged any more.
    damaged.retainAll(directories());
  }

  /** Of all snapshots, the newest first. */
  private List<String> directories() {
    return snapshots.newestFirst().stream().map(each -> each.directory().toString()).toList();
  }

  /** Whether there is another snapshot than the newest. */
  boolean hasOlder() {
    return oldest > 0 && oldest < newest;
  }

  /** Whether there is a snapshot that another member could begin with. */
  boolean hasGood() {
    return newest > 0 && !damaged.contains(newestDirectory);
  }

  /** Takes over the newest snapshot of another member; not while a process lives. */
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
