package io.entroq.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads a file of a few lines whole, by the same calls on every JDK: a simulated disk counts them.
 * Any thread.
 */
public final class SmallFile {
  private SmallFile() {}

  /**
   * What is in it, or the first of it.
   *
   * @param bytesMax bytes that are wanted at most
   * @throws IOException if it is not there or cannot be read
   */
  public static byte[] read(Path file, int bytesMax) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(bytesMax);
    try (FileChannel channel = DataFile.openToRead(file)) {
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // A read may bring less than there is.
      }
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}
