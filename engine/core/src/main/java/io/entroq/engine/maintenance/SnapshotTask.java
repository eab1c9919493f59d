package io.entroq.engine.maintenance;

import io.entroq.engine.state.FrozenState;
import java.util.function.BooleanSupplier;

/** Writes a frozen state and then removes obsolete files; for the {@link MaintenanceWorker}. */
interface SnapshotTask {
  /** Result of {@link #write} if it was abandoned. */
  long ABANDONED = -1;

  /**
   * Writes a snapshot, complete and on the disk when this returns. Logs failures and does not
   * throw.
   *
   * @param isAbandoned polled: whether to abandon it
   * @return its size in bytes; 0 if it failed, or {@link #ABANDONED}
   */
  long write(FrozenState state, BooleanSupplier isAbandoned);

  /**
   * Removes all but the two newest good snapshots, and the log before them, except for the history
   * that is kept. Logs failures and does not throw.
   *
   * @return bytes of log removed
   */
  long removeObsolete();

  /**
   * Removes history, if there is any, while the disk has too little room for it. Logs failures and
   * does not throw.
   *
   * @return bytes of log removed
   */
  default long makeRoom() {
    return 0;
  }
}
