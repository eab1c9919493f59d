package io.entroq.engine.backup;

/** Hears how far a backup or a restore is. On the thread that does it. */
@FunctionalInterface
public interface BackupProgress {
  /** Of a phase of which nothing is heard until it is over. */
  long UNKNOWN = -1;

  /** For whoever does not want to know. */
  BackupProgress NONE = (phase, doneBytes, totalBytes) -> {};

  /**
   * So much is done.
   *
   * @param phase what is being done, in a word
   * @param doneBytes from 0
   * @param totalBytes of this phase, or {@link #UNKNOWN}
   */
  void at(String phase, long doneBytes, long totalBytes);
}
