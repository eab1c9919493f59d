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
 * A backup as it comes from somewhere else, file by file. It is one once {@link #finish} has
 * returned; what is closed before leaves nothing behind. One use, one thread; blocks.
 */
public final class BackupWriting implements AutoCloseable {
  /** What may lie in it before it is one. */
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
   * @param target where the backup will be; must not exist, or be empty
   * @param head what it has to come to
   */
  public BackupWriting(Path target, BackupHead head, Forcer forcer, BackupProgress progress) {
    this.target = target;
    this.head = head;
    this.forcer = forcer;
    this.progress = progress;
    copy = new CopyTarget(target, forcer);
    mark = new BackupMark(target, forcer);
  }

  /**
   * Returns if there is a place for it; so that nothing is sent in vain.
   *
   * @throws LogException if it is not empty
   */
  public static void requireEmpty(Path target) {
    EmptyDirectory.require(target, "A backup is made");
  }

  /**
   * A file begins.
   *
   * @param name as seen from the data directory, with slashes
   * @param bytes how long it will be
   * @throws LogException if no data directory has such a file, it has come before, the one before
   *     is not complete, or it cannot be made
   */
  public void beginFile(String name, long bytes) {
    requireRight(path == null, "a file begins in another one");
    requireRight(BackupFile.isOfData(name), "'" + name + "' is no file of a data directory");
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
   * The next bytes of the file.
   *
   * @throws LogException if they are more than it has, or cannot be written
   */
  public void write(ByteBuffer bytes) {
    requireRight(path != null, "there are bytes of no file");
    requireRight(bytes.remaining() <= left, path + " is longer than was said");
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
   * The file is complete.
   *
   * @param expectedCrc CRC32C of its bytes
   * @throws LogException if it is not what was sent, or cannot be forced
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
   * Loads and replays what has come, and makes it a backup.
   *
   * @throws LogException if it does not lead to the state that it was taken of
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
        "it leads to the digests %016x %016x, and the state that it was taken of has %016x %016x"
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
          "What has come is no backup: %s. Make another one.".formatted(otherwise));
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

  /** Something that the disk may refuse. */
  private interface Step {
    void run() throws IOException;
  }

  /** Removes what there is, unless it is a backup. */
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

  /** The mark last: as long as anything else is there, it is no backup. */
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
