package io.entroq.engine.backup;

/** Receives the progress of a backup or restore, on its thread. */
@FunctionalInterface
public interface BackupProgress {
  /** The total of a phase without progress reports. */
  long UNKNOWN = -1;

  BackupProgress NONE = (phase, doneBytes, totalBytes) -> {};

  /**
   * Reports progress.
   *
   * @param phase name of the phase
   * @param doneBytes bytes done in this phase
   * @param totalBytes bytes to do in this phase, or {@link #UNKNOWN}
   */
  void at(String phase, long doneBytes, long totalBytes);
}
