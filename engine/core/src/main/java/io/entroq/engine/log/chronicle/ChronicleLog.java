package io.entroq.engine.log.chronicle;

import io.entroq.engine.JvmFlags;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.log.SegmentedLog;

/** Opens the log on disk, whose runs are written through Chronicle Queue. */
public final class ChronicleLog {
  /** Creates runs; requires the JVM flags in {@link JvmFlags}. */
  public static final RunFactory RUNS = new ChronicleRuns();

  private ChronicleLog() {}

  /**
   * Opens the log for appending, in a new run.
   *
   * @param logTag tag of the log, from its first record
   * @param lastSequence the last sequence in the log; 0 if it is empty
   * @param forcedSequence the last sequence known to be on the disk
   * @throws io.entroq.engine.log.LogException if the run cannot be created
   * @throws IllegalStateException if the JVM was started without these flags
   */
  public static SegmentedLog open(
      LogDirectory directory,
      LogConfig config,
      int logTag,
      long lastSequence,
      long forcedSequence) {
    JvmFlags.require();
    return SegmentedLog.open(
        directory, RUNS, config, FaultHook.NONE, logTag, lastSequence, forcedSequence);
  }
}
