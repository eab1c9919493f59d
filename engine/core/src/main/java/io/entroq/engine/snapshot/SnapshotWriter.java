package io.entroq.engine.snapshot;

import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogException;
import io.entroq.engine.state.Levels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Writes snapshots, one at a time.
 *
 * <p>If it is killed, or if the file system fails, the earlier snapshots are still there, and the
 * new one is either complete or absent.
 */
public final class SnapshotWriter {
  private final SnapshotDirectory directory;
  private final SnapshotFiles files;
  private final long reserveBytes;

  /**
   * @param reserveBytes how much must stay free on the file system: the log needs space more
   *     urgently
   */
  public SnapshotWriter(SnapshotDirectory directory, long reserveBytes) {
    this.directory = directory;
    this.files = directory.files();
    this.reserveBytes = reserveBytes;
  }

  /**
   * Writes and forces a state, waits until the log is forced that far, and publishes the snapshot.
   * If anything fails, removes what was written.
   *
   * @param awaitLogForced called with the snapshot's sequence before it is published; returns when
   *     the log is on disk up to there, throws if it never will be
   * @param isAbandoned called every few MiB; true stops the snapshot
   * @param progress called every few MiB with the number of bytes written so far
   * @throws SnapshotAbandonedException if {@code isAbandoned} returned true
   * @throws LogException if it cannot be written, or if there is a snapshot at that sequence
   */
  public Manifest write(
      SnapshotSource source,
      LongConsumer awaitLogForced,
      BooleanSupplier isAbandoned,
      LongConsumer progress) {
    long sequence = source.sequence();
    try {
      Path unfinished = directory.begin(sequence);
      try {
        requireSpace(unfinished, source.liveBytes());
        Manifest manifest =
            writeFiles(
                unfinished,
                source,
                written -> {
                  requireWanted(isAbandoned, sequence);
                  requireSpace(unfinished, 0);
                  progress.accept(written);
                });
        awaitLogForced.accept(sequence);
        requireWanted(isAbandoned, sequence);
        directory.publish(sequence);
        return manifest;
      } catch (IOException | RuntimeException | Error e) {
        cleanUp(unfinished, e);
        throw e;
      }
    } catch (IOException e) {
      throw cannotWrite(sequence, e);
    } catch (UncheckedIOException e) {
      throw cannotWrite(sequence, e.getCause());
    }
  }

  private Manifest writeFiles(Path unfinished, SnapshotSource source, LongConsumer progress)
      throws IOException {
    Manifest manifest = writeState(unfinished.resolve(Snapshot.STATE), source, progress);
    writeManifest(unfinished.resolve(Snapshot.MANIFEST), manifest);
    files.forceDirectory(unfinished);
    return manifest;
  }

  private Manifest writeState(Path file, SnapshotSource source, LongConsumer progress)
      throws IOException {
    try (StateFileWriter state = new StateFileWriter(files, file, source, progress)) {
      source.writeTo(state);
      state.finish();
      return new Manifest(
          source.sequence(),
          source.logTimeMs(),
          source.level(),
          source.logIdHigh(),
          source.logIdLow(),
          source.historyDigest(),
          source.contentDigest(),
          source.taskCount(),
          source.queueCount(),
          state.written(),
          state.chunks(),
          state.headersCrc(),
          Levels.format(source.level()));
    }
  }

  private void writeManifest(Path file, Manifest manifest) throws IOException {
    try (FileChannel channel = files.create(file)) {
      files.write(channel, ByteBuffer.wrap(manifest.bytes()));
      files.force(file, channel);
    }
  }

  private void requireSpace(Path unfinished, long needed) {
    long usable = files.usableBytes(unfinished);
    if (usable - needed < reserveBytes) {
      throw LogException.error(
          ("There is too little space for a snapshot: %,d bytes are free at %s, about %,d are"
                  + " needed, and %,d are reserved. Free some, or enlarge the file system.")
              .formatted(usable, unfinished.getParent(), needed, reserveBytes));
    }
  }

  private static void requireWanted(BooleanSupplier isAbandoned, long sequence) {
    if (isAbandoned.getAsBoolean()) {
      throw new SnapshotAbandonedException(sequence);
    }
  }

  private void cleanUp(Path unfinished, Throwable cause) {
    try {
      directory.discard(unfinished);
    } catch (IOException | RuntimeException e) {
      // The next opening removes it.
      cause.addSuppressed(e);
    }
  }

  private static LogException cannotWrite(long sequence, IOException e) {
    return LogException.error(
        "The snapshot at record %d was not written; the log and older snapshots are intact. %s"
            .formatted(sequence, FileErrors.describe(e)),
        e);
  }
}
