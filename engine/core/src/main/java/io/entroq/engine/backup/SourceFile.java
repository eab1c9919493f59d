package io.entroq.engine.backup;

import io.entroq.engine.log.DataFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * An open file of a data directory, readable even after its removal.
 *
 * @param path relative to the data directory, with slashes
 * @param bytes how much of it to read
 * @param channel positioned at its beginning
 */
record SourceFile(String path, long bytes, FileChannel channel) implements AutoCloseable {
  static SourceFile open(Path directory, Path file, long bytes) throws IOException {
    return new SourceFile(
        PathText.of(directory.relativize(file)), bytes, DataFile.openToRead(file));
  }

  static SourceFile whole(Path directory, Path file) throws IOException {
    FileChannel channel = DataFile.openToRead(file);
    try {
      return new SourceFile(PathText.of(directory.relativize(file)), channel.size(), channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
