package io.entroq.engine.snapshot;

import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogException;
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
 * <p>Killed at any moment, or refused anything by the file system, it leaves either the snapshots
 * that were there before or those and a whole new one.
 */
public final class SnapshotWriter {
  private final SnapshotDirectory directory;
  private final SnapshotFiles files;
  private final long reserveBytes;

  /**
   * @param directory where to
   * @param reserveBytes what must stay free on the file system; the log needs room more than this
   */
  public SnapshotWriter(SnapshotDirectory directory, long reserveBytes) {
    this.directory = directory;
    this.files = directory.files();
    this.reserveBytes = reserveBytes;
  }

  /**
   * Writes a state down, forces it, waits for the log, and gives it its name. If anything fails,
   * what was written is removed.
   *
   * @param awaitLogForced called before the snapshot becomes valid, with its sequence; returns when
   *     the log is on the disk that far, throws if it will never be
   * @param isAbandoned asked every few MiB whether to give up
   * @param progress told every few MiB how many bytes have been written
   * @throws SnapshotAbandonedException if {@code isAbandoned} said so
   * @throws LogException if it cannot be written, or if there is one of that sequence
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
          ChunkFrame.FORMAT);
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
                  + " needed and %,d stay reserved. Free some, or enlarge the file system.")
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
        "The snapshot at record %d was not written; log and older snapshots are untouched. %s"
            .formatted(sequence, FileErrors.describe(e)),
        e);
  }
}
