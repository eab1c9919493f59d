package io.entroq.engine.snapshot;

import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.SmallFile;
import io.entroq.engine.log.UnexpectedFileException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Reads one snapshot. Nothing is handed on that has not been verified, and nothing comes back
 * normally unless all of it is as it was written.
 *
 * <p>It holds nothing open between calls. One thread at a time.
 */
public final class SnapshotReader {
  private static final ChunkSink NOWHERE = (kind, items, buffer, offset, length) -> {};

  private final Snapshot snapshot;
  private final Consumer<Boolean> verdict;

  /**
   * @param verdict told whether the snapshot is good whenever that has been found out
   */
  SnapshotReader(Snapshot snapshot, Consumer<Boolean> verdict) {
    this.snapshot = snapshot;
    this.verdict = verdict;
  }

  /**
   * What the snapshot is of.
   *
   * @throws SnapshotDamagedException if the manifest is not what was written
   * @throws LogException if it cannot be read
   */
  public Manifest manifest() {
    return checked(snapshot.manifest(), this::readManifest);
  }

  /**
   * What the manifest says the snapshot is of, whatever its directory is called; null if it is not
   * what was written, or cannot be read.
   */
  public Manifest manifestIfGood() {
    try {
      return parsedManifest();
    } catch (SnapshotDamagedException | IOException e) {
      return null;
    }
  }

  /**
   * Hands over all chunks in their order. The last is handed over once the whole file is verified.
   *
   * @return what they are of
   * @throws SnapshotDamagedException if something is not what was written; the sink has then got
   *     true chunks from the first on, but not all
   * @throws LogException if it cannot be read
   */
  public Manifest read(ChunkSink to) {
    Manifest manifest = manifest();
    checked(
        snapshot.state(),
        () -> {
          try (StateFileReader state = new StateFileReader(snapshot.state(), manifest)) {
            state.readAll(to);
          }
          return manifest;
        });
    verdict.accept(true);
    return manifest;
  }

  /** As {@link #read}, for nobody. */
  public Manifest verify() {
    return read(NOWHERE);
  }

  private Manifest readManifest() throws IOException {
    Path file = snapshot.manifest();
    Manifest manifest = parsedManifest();
    if (manifest.sequence() != snapshot.sequence()) {
      throw new SnapshotDamagedException(
          file,
          0,
          "it is of record %d and not what its directory says".formatted(manifest.sequence()));
    }
    return manifest;
  }

  private Manifest parsedManifest() throws IOException {
    Path file = snapshot.manifest();
    return Manifest.parse(file, SmallFile.read(file, Manifest.BYTES_MAX + 1));
  }

  private Manifest checked(Path file, Reading reading) {
    try {
      return reading.read();
    } catch (NoSuchFileException e) {
      verdict.accept(false);
      throw new SnapshotDamagedException(file, 0, "the file is missing");
    } catch (SnapshotDamagedException e) {
      verdict.accept(false);
      throw e;
    } catch (UnexpectedFileException e) {
      verdict.accept(false);
      throw unreadable(file, e);
    } catch (FileSystemException | ClosedChannelException e) {
      // It may be good: it was not to be had, or nobody waits for it any more.
      throw LogException.error(
          "Cannot read the snapshot %s: %s".formatted(file, FileErrors.describe(e)), e);
    } catch (IOException e) {
      // The file is open, and the disk does not give back what it holds.
      verdict.accept(false);
      throw unreadable(file, e);
    }
  }

  private static SnapshotDamagedException unreadable(Path file, IOException e) {
    return new SnapshotDamagedException(
        file, 0, "it cannot be read: %s".formatted(FileErrors.describe(e)));
  }

  private interface Reading {
    Manifest read() throws IOException;
  }
}
