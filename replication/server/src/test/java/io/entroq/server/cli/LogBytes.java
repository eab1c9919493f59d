package io.entroq.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Damages logs. */
final class LogBytes {
  private LogBytes() {}

  /**
   * Changes the last byte of a record.
   *
   * @param record as a dump prints it
   */
  static void flip(Path data, JsonNode record) throws IOException {
    Path file = data.resolve(record.get("file").asText());
    long at = record.get("offset").asLong() + record.get("bytes").asLong() - 1;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) (one.get(0) ^ 1)).rewind();
      channel.write(one, at);
    }
  }
}
