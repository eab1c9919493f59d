package io.entroq.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Reads and replaces small files with the same calls on every JDK, because a simulated disk counts
 * them. Thread-safe, for different files.
 */
public final class SmallFile {
  /**
   * Added to the name of a file whose content is being written. Such a file may remain if the
   * process is killed.
   */
  static final String UNFINISHED = ".tmp";

  private SmallFile() {}

  /**
   * Reads the file or its beginning.
   *
   * @param bytesMax how many bytes to read at most
   * @throws IOException if it does not exist or cannot be read
   */
  public static byte[] read(Path file, int bytesMax) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(bytesMax);
    try (FileChannel channel = DataFile.openToRead(file)) {
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // A read may be partial.
      }
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /**
   * Creates or replaces the file as a whole, on the disk when this returns. If it throws, the file
   * has its old or its new content.
   */
  public static void replace(Path directory, String name, byte[] content, Forcer forcer)
      throws IOException {
    Path unfinished = directory.resolve(name + UNFINISHED);
    try {
      write(unfinished, ByteBuffer.wrap(content), forcer);
      Files.move(
          unfinished,
          directory.resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      forcer.force(directory.toString(), () -> LogDirectory.force(directory));
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static void write(Path file, ByteBuffer content, Forcer forcer) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (content.hasRemaining()) {
        channel.write(content);
      }
      forcer.force(file.toString(), () -> channel.force(true));
    }
  }
}
