package io.entroq.engine.backup;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import io.entroq.engine.recovery.SnapshotWarning;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies the newest good snapshot, which an engine may be removing. Single use; not thread-safe.
 */
final class SnapshotCopy {
  /** How often snapshots are listed again because one was removed while it was copied. */
  private static final int TRIES_MAX = 10;

  private final Path source;
  private final Path target;
  private final Forcer forcer;
  private final BackupProgress progress;
  private final BackupMark mark;
  private final SnapshotDirectory snapshots;

  /**
   * @param mark set before anything is copied
   */
  SnapshotCopy(Path source, Path target, Forcer forcer, BackupProgress progress, BackupMark mark) {
    this.source = source;
    this.target = target;
    this.forcer = forcer;
    this.progress = progress;
    this.mark = mark;
    this.snapshots = new SnapshotDirectory(source, forcer);
  }

  /**
   * Copies and forces it.
   *
   * @param files receives the copied files
   * @return its manifest; null if there is no good snapshot
   */
  Manifest copyNewest(List<CopiedFile> files) throws IOException {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      boolean isGone = false;
      for (Snapshot snapshot : snapshots.newestFirst()) {
        Manifest manifest = copy(snapshot, files);
        if (manifest != null) {
          return manifest;
        }
        isGone |= !Files.exists(snapshot.directory());
      }
      if (!isGone) {
        return null;
      }
    }
    throw LogException.error(
        "The engine in %s removes its snapshots before they can be copied".formatted(source));
  }

  /** Null if it is damaged or was removed; then nothing of it is left in the target. */
  private Manifest copy(Snapshot snapshot, List<CopiedFile> files) throws IOException {
    List<CopiedFile> copied = new ArrayList<>();
    try {
      progress.at("reading snapshot", 0, BackupProgress.UNKNOWN);
      // Verified before the copy, so that messages name the damaged file.
      Manifest manifest = snapshots.reader(snapshot).verify();
      List<Path> parts = List.of(snapshot.state(), snapshot.manifest());
      mark.set();
      FileCopier copier = new FileCopier(source, target, forcer, progress, manifest.stateBytes());
      for (Path part : parts) {
        copied.add(copier.copy(PathText.of(source.relativize(part)), Files.size(part)));
      }
      copier.forceNames();
      files.addAll(copied);
      return manifest;
    } catch (SnapshotDamagedException e) {
      if (Files.exists(snapshot.directory())) {
        SnapshotWarning.log(e);
      }
      return null;
    } catch (NoSuchFileException e) {
      remove(target.resolve(source.relativize(snapshot.directory())));
      return null;
    }
  }

  private static void remove(Path copy) throws IOException {
    if (Files.exists(copy)) {
      EmptyDirectory.clear(copy);
      Files.delete(copy);
    }
  }
}
