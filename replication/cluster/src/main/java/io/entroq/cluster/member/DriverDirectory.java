package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Where the media driver has its files if nobody says: in memory, if there is plenty. They are
 * mapped and written all the time, and a disk that is slow to take them would hold up all threads
 * at once.
 */
final class DriverDirectory {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long PLENTY_BYTES = 1L << 30;

  private DriverDirectory() {}

  /** A directory that belongs to this member's and to no other. */
  static Path of(Path memberDirectory) {
    if (!hasPlenty()) {
      return memberDirectory.resolve("driver");
    }
    String path = memberDirectory.toAbsolutePath().normalize().toString();
    return MEMORY.resolve("entroq-" + UUID.nameUUIDFromBytes(path.getBytes(UTF_8)));
  }

  private static boolean hasPlenty() {
    try {
      return Files.isWritable(MEMORY)
          && Files.getFileStore(MEMORY).getUsableSpace() >= PLENTY_BYTES;
    } catch (IOException e) {
      return false;
    }
  }
}
