package io.entroq.engine.maintenance;

import io.entroq.engine.state.FrozenState;
import java.util.function.BooleanSupplier;

/** What is done with a frozen state, and after that. For whoever is at the desk. */
interface SnapshotTask {
  /** What {@link #write} returns if it was told to give up. */
  long ABANDONED = -1;

  /**
   * Writes a snapshot; it is good, and on the disk, when this returns. Says itself what went wrong,
   * and throws nothing.
   *
   * @param isAbandoned asked now and then: whether to give up
   * @return its size in bytes; 0 if it could not be written, or {@link #ABANDONED}
   */
  long write(FrozenState state, BooleanSupplier isAbandoned);

  /**
   * Deletes what nothing needs any more: snapshots but the two newest good ones, and the log below
   * them. Says itself what went wrong, and throws nothing.
   *
   * @return bytes of log that were let go
   */
  long letGo();
}
