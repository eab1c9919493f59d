package io.entroq.engine.backup;

import io.entroq.engine.state.Levels;
import java.util.List;

/**
 * The content of {@code backup.json}.
 *
 * @param snapshotSequence the last record in its snapshot; 0 without a snapshot
 * @param sequence the last record of its log
 * @param logTimeMs log time of that record
 * @param historyDigest history digest after that record
 * @param contentDigest content digest after that record
 * @param logIdHigh upper half of the id of the log
 * @param logIdLow lower half
 * @param level behavior level after that record
 * @param tasks number of tasks
 * @param createdMs wall-clock time of creation, in milliseconds since the epoch
 * @param toolVersion the build that made the backup
 * @param files all files except {@code backup.json}
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
  static final String FILE_NAME = "backup.json";

  public BackupManifest {
    files = List.copyOf(files);
  }

  /** Describes files that this build has just copied. */
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

  /** The format of the whole directory: that of its level. */
  int format() {
    return Levels.format(level);
  }

  /** Total size of the files. */
  public long bytes() {
    return files.stream().mapToLong(CopiedFile::bytes).sum();
  }
}
