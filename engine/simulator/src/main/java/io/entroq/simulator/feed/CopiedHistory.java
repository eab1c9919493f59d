package io.entroq.simulator.feed;

import io.entroq.api.Durability;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.HistoryReader;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.SimulatedDisk;
import java.nio.file.Path;
import java.util.List;

/**
 * The history of a directory, read from a copy of its disk: faults that wait for the engine do not
 * meet its reader instead. One thread.
 */
final class CopiedHistory implements AutoCloseable {
  private static final Forcer NONE = (what, action) -> {};
  private static final long MEMORY_BYTES_MAX = 1L << 30;

  private final DiskProcess reader;
  private final HistoryDirectory history;

  /** That of an engine. */
  CopiedHistory(SimulatedDisk disk, String directory, Durability durability) {
    reader = copy(disk).startProcess();
    Path path = reader.path(directory);
    history = history(path, HolePolicy.of(durability));
  }

  /**
   * That of a member, whose mirror of the log has all records after its oldest snapshot.
   *
   * @param disk has the member's snapshots, and no log
   * @param until the last record in the mirror
   */
  CopiedHistory(SimulatedDisk disk, String directory, KeptRecords records, long until) {
    reader = copy(disk).startProcess();
    Path path = reader.path(directory);
    List<Snapshot> snapshots = new SnapshotDirectory(path, NONE).newestFirst();
    long oldest = snapshots.isEmpty() ? 0 : snapshots.get(snapshots.size() - 1).sequence();
    records.write(reader, path, Math.max(oldest + 1, records.first()), until);
    history = history(path, HolePolicy.REFUSE);
  }

  private static SimulatedDisk copy(SimulatedDisk disk) {
    SimulatedDisk copy = new SimulatedDisk();
    copy.restore(disk.image());
    return copy;
  }

  private static HistoryDirectory history(Path path, HolePolicy policy) {
    return new HistoryDirectory(LogDirectory.read(path), new SnapshotDirectory(path, NONE), policy);
  }

  /** The first step after which it can be read. */
  long first() {
    return history.first();
  }

  /** Shows the effects of the steps after one, up to another. */
  void read(long after, long until, boolean hasValues, EffectConsumer consumer) {
    new HistoryReader(states(), hasValues)
        .read(HistoryPoint.at(after), HistoryPoint.at(until), consumer);
  }

  /** The state after a step, which the caller closes. */
  StateMachine at(long sequence) {
    return states().open(HistoryPoint.at(sequence));
  }

  private StateAt states() {
    return new StateAt(history, MEMORY_BYTES_MAX, ReplayWatch.NONE);
  }

  @Override
  public void close() {
    history.close();
    reader.die();
  }
}
