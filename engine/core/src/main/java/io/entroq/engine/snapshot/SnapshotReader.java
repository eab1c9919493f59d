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
 * Reads one snapshot. Passes on verified chunks only, and returns normally only if every byte is as
 * it was written.
 *
 * <p>Keeps no file open between calls. One thread at a time.
 */
public final class SnapshotReader {
  private static final ChunkSink NOWHERE = (kind, items, buffer, offset, length) -> {};

  private final Snapshot snapshot;
  private final Consumer<Boolean> verdict;

  /**
   * @param verdict called with whether the snapshot is good, each time that is found out
   */
  SnapshotReader(Snapshot snapshot, Consumer<Boolean> verdict) {
    this.snapshot = snapshot;
    this.verdict = verdict;
  }

  /**
   * Reads the manifest.
   *
   * @throws SnapshotDamagedException if it is missing or damaged
   * @throws LogException if it cannot be read
   */
  public Manifest manifest() {
    return checked(snapshot.manifest(), this::readManifest);
  }

  /**
   * The manifest, even if the directory's name does not match it; null if it is damaged or cannot
   * be read.
   */
  public Manifest manifestIfGood() {
    try {
      return parsedManifest();
    } catch (SnapshotDamagedException | IOException e) {
      return null;
    }
  }

  /**
   * Passes all chunks to a sink, in order. The last one follows once the whole file is verified.
   *
   * @throws SnapshotDamagedException if a file is missing or damaged; the sink has then received
   *     valid chunks from the first on, but not all
   * @throws LogException if it cannot be read, or has a behavior level that this build does not
   *     support
   */
  public Manifest read(ChunkSink to) {
    Manifest manifest = manifest();
    checked(
        snapshot.state(),
        () -> {
          manifest.requireReadable(snapshot);
          try (StateFileReader state = new StateFileReader(snapshot.state(), manifest)) {
            state.readAll(to);
          }
          return manifest;
        });
    verdict.accept(true);
    return manifest;
  }

  /** Reads and verifies everything, as {@link #read} does. */
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
          "it is for record %d, but its directory is named for another"
              .formatted(manifest.sequence()));
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
      // It may be good: the file could not be opened, or the read was aborted.
      throw LogException.error(
          "Cannot read the snapshot %s: %s".formatted(file, FileErrors.describe(e)), e);
    } catch (IOException e) {
      // The file is open, but the disk cannot read it.
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
