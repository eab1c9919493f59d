package io.entroq.engine.backup;

import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes a backup that is received file by file. It is complete once {@link #finish} has returned;
 * if closed earlier, it leaves nothing behind. Single use; not thread-safe; blocks.
 */
public final class BackupWriting implements AutoCloseable {
  /** Directories of an unfinished backup. */
  private static final List<String> PARTS = List.of("snapshots", LogDirectory.LOG);

  private final Path target;
  private final BackupHead head;
  private final Forcer forcer;
  private final BackupProgress progress;
  private final CopyTarget copy;
  private final BackupMark mark;
  private final List<CopiedFile> files = new ArrayList<>();
  private final CRC32C crc = new CRC32C();
  private boolean hasBegun;
  private boolean isFinished;
  private String path;
  private FileChannel channel;
  private long left;
  private long fileBytes;
  private long doneBytes;

  /**
   * @param target the directory of the backup; must not exist or be empty
   * @param head what it must contain
   */
  public BackupWriting(Path target, BackupHead head, Forcer forcer, BackupProgress progress) {
    this.target = target;
    this.head = head;
    this.forcer = forcer;
    this.progress = progress;
    copy = new CopyTarget(target, forcer);
    mark = new BackupMark(target, forcer);
  }

  /** Throws {@link LogException} if the target is not empty, before anything is transferred. */
  public static void requireEmpty(Path target) {
    EmptyDirectory.require(target, "Cannot make a backup");
  }

  /**
   * Starts a file.
   *
   * @param name path relative to the data directory, with slashes
   * @param bytes its size
   * @throws LogException if a data directory has no such file, it was already received, the
   *     previous one is incomplete, or it cannot be created
   */
  public void beginFile(String name, long bytes) {
    requireRight(path == null, "a file begins before the end of another");
    requireRight(BackupFile.isOfData(name), "'" + name + "' is not a file of a data directory");
    requireRight(bytes >= 0, "a file has %,d bytes".formatted(bytes));
    attempt(
        () -> {
          if (!hasBegun) {
            requireEmpty(target);
            hasBegun = true;
            mark.set();
          }
          channel = copy.create(name);
        });
    path = name;
    fileBytes = bytes;
    left = bytes;
    crc.reset();
  }

  /**
   * Writes the next bytes of the file.
   *
   * @throws LogException if they exceed its size or cannot be written
   */
  public void write(ByteBuffer bytes) {
    requireRight(path != null, "there is data outside of a file");
    requireRight(bytes.remaining() <= left, path + " is longer than announced");
    int count = bytes.remaining();
    crc.update(bytes.duplicate());
    attempt(
        () -> {
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
        });
    left -= count;
    doneBytes += count;
    progress.at("copying", doneBytes, head.bytes());
  }

  /**
   * Ends the file.
   *
   * @param expectedCrc CRC32C of its bytes
   * @throws LogException if it is incomplete or corrupt, or cannot be forced
   */
  public void endFile(int expectedCrc) {
    requireRight(path != null, "no file has begun");
    requireRight(left == 0, "%s lacks %,d bytes".formatted(path, left));
    int sum = (int) crc.getValue();
    requireRight(
        sum == expectedCrc, "%s has checksum %08x, not %08x".formatted(path, sum, expectedCrc));
    attempt(
        () -> {
          copy.force(path, channel);
          channel.close();
        });
    files.add(new CopiedFile(path, fileBytes, sum));
    path = null;
  }

  /**
   * Loads and replays the received files, and completes the backup.
   *
   * @throws LogException if they do not lead to the sender's state
   */
  public BackupManifest finish() {
    requireRight(path == null && !files.isEmpty(), "it ends too early");
    attempt(copy::forceNames);
    progress.at("checking", 0, BackupProgress.UNKNOWN);
    DirectoryState state = DirectoryState.of(target);
    requireRight(
        state.sequence() == head.sequence(),
        "it ends with record %,d, not %,d".formatted(state.sequence(), head.sequence()));
    requireRight(
        !head.isStateKnown()
            || (state.historyDigest() == head.historyDigest()
                && state.contentDigest() == head.contentDigest()),
        "its digests are %016x %016x, those of the original state %016x %016x"
            .formatted(
                state.historyDigest(),
                state.contentDigest(),
                head.historyDigest(),
                head.contentDigest()));
    BackupManifest manifest = BackupManifest.of(head.snapshotSequence(), state, files);
    attempt(
        () -> {
          new BackupFile(target).write(manifest, forcer);
          isFinished = true;
          mark.remove();
        });
    return manifest;
  }

  private void requireRight(boolean isRight, String otherwise) {
    if (!isRight) {
      throw LogException.error(
          "The received backup is invalid: %s. Make another one.".formatted(otherwise));
    }
  }

  private void attempt(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw LogException.error(
          "Cannot write a backup to %s: %s"
              .formatted(target.toAbsolutePath(), FileErrors.describe(e)),
          e);
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Removes the files, unless the backup is complete. */
  @Override
  public void close() {
    attempt(
        () -> {
          if (channel != null) {
            channel.close();
          }
          if (hasBegun && !isFinished && Files.exists(BackupMark.fileIn(target))) {
            clear();
          }
        });
  }

  /** Removes the mark last, so that a partial backup is always marked. */
  private void clear() throws IOException {
    for (String part : PARTS) {
      Path inside = target.resolve(part);
      if (Files.exists(inside)) {
        EmptyDirectory.clear(inside);
        Files.delete(inside);
      }
    }
    mark.remove();
  }
}
