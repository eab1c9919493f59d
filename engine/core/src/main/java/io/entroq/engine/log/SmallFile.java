package io.entroq.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads a small file with the same calls on every JDK, because a simulated disk counts them.
 * Thread-safe.
 */
public final class SmallFile {
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
}
