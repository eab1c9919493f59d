package io.entroq.engine.backup;

import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Restores a backup to a data directory. Files are copied to a subdirectory and verified there,
 * then moved to their places. No engine opens the directory while the subdirectory exists. Single
 * use.
 */
public final class Restore {
  private final Path backup;
  private final Path target;
  private final Forcer forcer;
  private final BackupProgress progress;

  /**
   * @param backup a complete backup
   * @param target the new data directory; must not exist or be empty
   */
  public Restore(Path backup, Path target, Forcer forcer, BackupProgress progress) {
    this.backup = backup;
    this.target = target;
    this.forcer = forcer;
    this.progress = progress;
  }

  /**
   * Copies and verifies.
   *
   * @return the content of the backup and the new directory
   * @throws LogException if the backup is damaged or a file cannot be read or written; then no
   *     engine will open the target
   */
  public BackupManifest run() {
    BackupManifest manifest = new BackupFile(backup).read();
    EmptyDirectory.require(target, "Cannot restore a backup");
    EmptyDirectory.requireApart(backup, target);
    Path unfinished = target.resolve(LogDirectory.UNFINISHED_RESTORE);
    try {
      EmptyDirectory.create(target);
      Files.createDirectory(unfinished);
      LogDirectory.force(target);
      copy(manifest, unfinished);
      progress.at("checking", 0, BackupProgress.UNKNOWN);
      requireEqual(manifest, DirectoryState.of(unfinished));
      publish(unfinished);
      return manifest;
    } catch (IOException e) {
      throw failed(unfinished, FileErrors.describe(e), e);
    } catch (LogException e) {
      throw failed(unfinished, e.getMessage(), e);
    }
  }

  private void copy(BackupManifest manifest, Path unfinished) throws IOException {
    FileCopier copier = new FileCopier(backup, unfinished, forcer, progress, manifest.bytes());
    for (CopiedFile file : manifest.files()) {
      long bytes = bytesOf(file);
      if (bytes != file.bytes()) {
        throw damaged(file, "it has %,d bytes instead of %,d".formatted(bytes, file.bytes()));
      }
      CopiedFile copied = copier.copy(file.path(), bytes);
      if (copied.crc() != file.crc()) {
        throw damaged(
            file, "its checksum is %08x instead of %08x".formatted(copied.crc(), file.crc()));
      }
    }
    copier.forceNames();
  }

  private long bytesOf(CopiedFile file) throws IOException {
    try {
      return Files.size(backup.resolve(file.path()));
    } catch (NoSuchFileException e) {
      throw damaged(file, "it is missing");
    }
  }

  private LogException damaged(CopiedFile file, String what) {
    return LogException.error(
        "The backup is damaged: %s: %s. Use another backup."
            .formatted(backup.resolve(file.path()).toAbsolutePath(), what));
  }

  private static void requireEqual(BackupManifest manifest, DirectoryState state) {
    DirectoryState expected =
        new DirectoryState(
            manifest.sequence(),
            manifest.logTimeMs(),
            manifest.historyDigest(),
            manifest.contentDigest(),
            manifest.logIdHigh(),
            manifest.logIdLow(),
            manifest.level(),
            manifest.tasks());
    if (!state.equals(expected)) {
      throw LogException.error(
          "The backup does not lead to the state it describes: %s, but %s has %s. Use"
                  .formatted(state, BackupManifest.FILE_NAME, expected)
              + " another backup.");
    }
  }

  /** Moves the log last: without it no engine opens the directory. */
  private void publish(Path unfinished) throws IOException {
    List<Path> parts = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(unfinished)) {
      stream.forEach(parts::add);
    }
    parts.sort(Comparator.comparing(Path::getFileName).reversed());
    for (Path part : parts) {
      Files.move(part, target.resolve(part.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }
    forcer.force(target.toString(), () -> LogDirectory.force(target));
    Files.delete(unfinished);
    try {
      forcer.force(target.toString(), () -> LogDirectory.force(target));
    } catch (IOException | RuntimeException e) {
      // A restore reported as failed must not be opened.
      Files.createDirectory(unfinished);
      throw e;
    }
  }

  private LogException failed(Path unfinished, String why, Exception cause) {
    return LogException.error(
        "Restoring %s failed: %s %s"
            .formatted(
                backup.toAbsolutePath(), why.endsWith(".") ? why : why + ".", cleanUp(unfinished)),
        cause);
  }

  /** Removes the copied files, unless some were moved already, and describes what is left. */
  private String cleanUp(Path unfinished) {
    try {
      if (!isPublished() && Files.exists(unfinished)) {
        EmptyDirectory.clear(unfinished);
        Files.delete(unfinished);
      }
    } catch (IOException e) {
      return "Empty %s; removing the copied files failed too: %s"
          .formatted(target.toAbsolutePath(), FileErrors.describe(e));
    }
    return Files.exists(unfinished)
        ? "Empty %s before you try again.".formatted(target.toAbsolutePath())
        : "Nothing is left in %s.".formatted(target.toAbsolutePath());
  }

  /** Whether a part was already moved; then the unfinished mark must stay. */
  private boolean isPublished() throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(target)) {
      for (Path entry : stream) {
        if (!entry.endsWith(LogDirectory.UNFINISHED_RESTORE) && !entry.endsWith("lost+found")) {
          return true;
        }
      }
      return false;
    }
  }
}
