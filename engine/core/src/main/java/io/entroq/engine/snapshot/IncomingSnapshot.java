package io.entroq.engine.snapshot;

import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A snapshot that is copied from elsewhere, with a file under a temporary name until it is
 * complete. An interrupted copy leaves what it has, which the next one verifies and continues. One
 * thread.
 */
public final class IncomingSnapshot implements AutoCloseable {
  private static final int UNFORCED_BYTES_MAX = StateFileWriter.UNFORCED_BYTES_MAX;

  private final SnapshotDirectory directory;
  private final Path unfinished;
  private final Manifest manifest;
  private final FileChannel state;
  private long length;
  private long unforced;

  /**
   * @param unfinished has the manifest, and perhaps the beginning of the state
   */
  IncomingSnapshot(SnapshotDirectory directory, Path unfinished, Manifest manifest)
      throws IOException {
    this.directory = directory;
    this.unfinished = unfinished;
    this.manifest = manifest;
    Path file = unfinished.resolve(Snapshot.STATE);
    state = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      length = StateFileReader.goodBytes(file, manifest);
      state.truncate(length).position(length);
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
  }

  /** The manifest of the snapshot. */
  public Manifest manifest() {
    return manifest;
  }

  /** Bytes of the state that are here, which are whole chunks when the copy begins. */
  public long length() {
    return length;
  }

  /**
   * Appends bytes of the state.
   *
   * @throws LogException if the disk refuses
   */
  public void write(ByteBuffer bytes) {
    try {
      int more = bytes.remaining();
      directory.files().write(state, bytes);
      length += more;
      unforced += more;
      if (unforced >= UNFORCED_BYTES_MAX) {
        directory.files().force(unfinished, state);
        unforced = 0;
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Verifies every byte, forces the snapshot and gives it its final name.
   *
   * @throws SnapshotDamagedException if it is not as its manifest says; then it is removed
   * @throws LogException if the disk refuses
   */
  public Snapshot finish() {
    try {
      directory.files().force(unfinished, state);
      state.close();
      try {
        new SnapshotReader(new Snapshot(manifest.sequence(), unfinished), good -> {}).verify();
      } catch (SnapshotDamagedException e) {
        directory.discard(unfinished);
        throw e;
      }
      directory.files().forceDirectory(unfinished);
      directory.publish(manifest.sequence());
      return directory.find(manifest.sequence()).orElseThrow();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private LogException failed(IOException e) {
    return LogException.error(
        "Cannot write %s: %s".formatted(unfinished.toAbsolutePath(), FileErrors.describe(e)), e);
  }

  @Override
  public void close() {
    try {
      state.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
