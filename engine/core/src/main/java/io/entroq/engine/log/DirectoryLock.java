package io.entroq.engine.log;

import io.entroq.engine.Closing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives one engine or cluster member exclusive use of a data directory: a locked file that contains
 * the holder's process id.
 *
 * <p>The operating system's lock belongs to the process and is released when <em>any</em> handle on
 * the file is closed. So requests within this JVM are answered from {@link #HELD}, and the file is
 * opened only once in it.
 */
public final class DirectoryLock implements AutoCloseable {
  static final String FILE_NAME = "lock";

  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Locks an existing directory.
   *
   * @param processId written to the lock file, for the error messages of others
   * @throws LogException if another engine, of this process or another, holds the directory
   */
  public static DirectoryLock acquire(Path directory, long processId) throws IOException {
    Path real = directory.toRealPath();
    if (!HELD.add(real)) {
      throw inUse(directory, "another engine of this process (pid " + processId + ")");
    }
    try {
      return new DirectoryLock(real, lock(directory, processId));
    } catch (Throwable t) {
      HELD.remove(real);
      throw t;
    }
  }

  private static FileChannel lock(Path directory, long processId) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    FileChannel channel =
        DataFile.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(directory, "process " + holder(channel));
      }
      writeHolder(channel, processId);
      return channel;
    } catch (Throwable t) {
      Closing.after(t, channel);
      throw t;
    }
  }

  /** A full disk has no room for the process id, but the lock holds, and readers need no room. */
  private static void writeHolder(FileChannel channel, long processId) {
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((processId + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
    } catch (IOException e) {
      // Others see a question mark in place of the process id.
      return;
    }
  }

  /** The process id in the file; a question mark if it is not written yet. */
  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(64);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).trim();
    return pid.isEmpty() ? "?" : pid;
  }

  private static LogException inUse(Path directory, String holder) {
    return LogException.error(
        ("The data directory %s is in use by %s. Stop that one first, or choose another directory;"
                + " do not delete the lock file.")
            .formatted(directory.toAbsolutePath(), holder));
  }

  /** Whether the directory has ever been locked, which shows that it is ours. */
  static boolean exists(Path directory) {
    return Files.exists(directory.resolve(FILE_NAME));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing the lock of " + directory, e);
    } finally {
      HELD.remove(directory);
    }
  }
}
