package io.entroq.engine.runtime;

import io.entroq.engine.maintenance.Maintenance;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.state.ResultSink;

/** Maintains the engine's directory between commands. The engine's thread. */
public final class Housekeeper implements AutoCloseable {
  private final EngineCore core;
  private final Maintenance upkeep;

  /**
   * @param upkeep null if there is no directory
   */
  public Housekeeper(EngineCore core, Maintenance upkeep) {
    this.core = core;
    this.upkeep = upkeep;
  }

  /**
   * Does what is due.
   *
   * @param sink gets the results of parked claims that this ends
   * @return whether a record was logged
   */
  public boolean poll(ResultSink sink) {
    if (upkeep == null) {
      return false;
    }
    upkeep.poll();
    if (!upkeep.isRecordNeeded() || !core.mark(sink)) {
      return false;
    }
    upkeep.poll();
    return true;
  }

  /** Whether {@link #poll} has something to do even without a command. */
  public boolean hasNews() {
    return upkeep != null && upkeep.hasWork();
  }

  /** Statistics of snapshots; any thread. */
  SnapshotStats stats() {
    return upkeep == null ? SnapshotStats.NONE : upkeep.stats();
  }

  /** Size of a snapshot, as last measured; any thread. */
  long liveBytes() {
    return upkeep == null ? 0 : upkeep.liveBytes();
  }

  /** Stops writing and deleting. */
  @Override
  public void close() {
    if (upkeep != null) {
      upkeep.close();
    }
  }
}
