package io.entroq.engine.backup;

import java.util.List;

/**
 * What a backup holds: the content of its {@code backup.json}.
 *
 * @param snapshotSequence the last record that its snapshot holds, 0 if it has none
 * @param sequence the last record of its log
 * @param logTimeMs log time of that record
 * @param historyDigest digest of all that led there
 * @param contentDigest digest of what is there
 * @param logIdHigh upper half of the id of the log
 * @param logIdLow lower half
 * @param level behaviour level there
 * @param tasks how many tasks there are
 * @param createdMs wall clock when it was made, milliseconds since the epoch
 * @param toolVersion the build that made it
 * @param files all of it but {@code backup.json}
 */
public record BackupManifest(
    long snapshotSequence,
    long sequence,
    long logTimeMs,
    long historyDigest,
    long contentDigest,
    long logIdHigh,
    long logIdLow,
    int level,
    long tasks,
    long createdMs,
    String toolVersion,
    List<CopiedFile> files) {
  /** Of the directory as a whole; another one is written by a build that knows more. */
  static final int FORMAT = 1;

  static final String FILE_NAME = "backup.json";

  public BackupManifest {
    files = List.copyOf(files);
  }

  /** Of what has just been copied by this build. */
  static BackupManifest of(long snapshotSequence, DirectoryState state, List<CopiedFile> files) {
    return new BackupManifest(
        snapshotSequence,
        state.sequence(),
        state.logTimeMs(),
        state.historyDigest(),
        state.contentDigest(),
        state.logIdHigh(),
        state.logIdLow(),
        state.level(),
        state.tasks(),
        System.currentTimeMillis(),
        buildVersion(),
        files);
  }

  private static String buildVersion() {
    String version = BackupManifest.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** How large the files are together. */
  public long bytes() {
    return files.stream().mapToLong(CopiedFile::bytes).sum();
  }
}
