package io.entroq.engine.backup;

import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.retention.LogHold;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.snapshot.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes a backup of a data directory, even while an engine runs in it. The backup is complete once
 * its {@code backup.json} exists; after a failure the directory has none. Single use.
 */
public final class Backup {
  private final Path source;
  private final Path target;
  private final HolePolicy policy;
  private final Forcer forcer;
  private final BackupProgress progress;

  /**
   * @param source the data directory
   * @param target the directory of the backup; must not exist or be empty
   * @param policy how to treat a hole in the log
   */
  public Backup(
      Path source, Path target, HolePolicy policy, Forcer forcer, BackupProgress progress) {
    this.source = source;
    this.target = target;
    this.policy = policy;
    this.forcer = forcer;
    this.progress = progress;
  }

  /**
   * Copies and verifies.
   *
   * @return the content of {@code backup.json}
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged
   * @throws LogException if a directory is unsuitable, or a file cannot be read, written or
   *     verified
   */
  public BackupManifest run() {
    LogDirectory log = LogDirectory.read(source);
    EmptyDirectory.require(target, "Cannot make a backup");
    EmptyDirectory.requireApart(source, target);
    try (LogHold hold = LogHold.of(log, "backup")) {
      return copy(log, hold);
    } catch (IOException e) {
      throw unfinished(FileErrors.describe(e), e);
    } catch (LogException e) {
      throw Files.exists(target) ? unfinished(e.getMessage(), e) : e;
    }
  }

  private LogException unfinished(String why, Exception cause) {
    return LogException.error(
        "The backup of %s failed: %s The directory %s is not a backup; remove it."
            .formatted(source.toAbsolutePath(), sentence(why), target.toAbsolutePath()),
        cause);
  }

  private static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }

  private BackupManifest copy(LogDirectory log, LogHold hold) throws IOException {
    List<CopiedFile> files = new ArrayList<>();
    BackupMark mark = new BackupMark(target, forcer);
    Manifest snapshot = new SnapshotCopy(source, target, forcer, progress, mark).copyNewest(files);
    if (snapshot != null) {
      hold.advance(snapshot.sequence());
    }
    progress.at("reading log", 0, BackupProgress.UNKNOWN);
    LogExtent extent = LogExtent.of(log, policy, snapshot);
    // Only now, so that nothing is created if the log is damaged.
    mark.set();
    copyLog(extent, files);
    progress.at("checking", 0, BackupProgress.UNKNOWN);
    DirectoryState state = DirectoryState.of(target);
    if (state.sequence() != extent.lastSequence()) {
      throw LogException.error(
          "The copy ends with record %,d, the original with %,d. Report this."
              .formatted(state.sequence(), extent.lastSequence()));
    }
    BackupManifest manifest =
        BackupManifest.of(snapshot == null ? 0 : snapshot.sequence(), state, files);
    new BackupFile(target).write(manifest, forcer);
    mark.remove();
    return manifest;
  }

  private void copyLog(LogExtent extent, List<CopiedFile> files) throws IOException {
    Map<Path, Long> bytesByFile = extent.bytesByFile();
    long bytes = bytesByFile.values().stream().mapToLong(Long::longValue).sum();
    FileCopier copier = new FileCopier(source, target, forcer, progress, bytes);
    for (Map.Entry<Path, Long> file : bytesByFile.entrySet()) {
      String path = PathText.of(source.relativize(file.getKey()));
      files.add(copier.copy(path, file.getValue()));
    }
    copier.forceNames();
  }
}
