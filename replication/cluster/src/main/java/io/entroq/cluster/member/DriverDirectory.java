package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * Where the media driver has its files if nobody says: in memory, if there is plenty. They are
 * mapped and written all the time, and a disk that is slow to take them would hold up all threads
 * at once.
 *
 * <p>What members say to each other goes through them, and everybody may make files in memory. So
 * they lie in a directory that only the owner of this process may enter.
 */
final class DriverDirectory {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long PLENTY_BYTES = 1L << 30;
  private static final String PREFIX = "entroq-";

  /** Belongs to whom this process belongs to. */
  private static final Path SELF = Path.of("/proc/self");

  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rwx------");

  private DriverDirectory() {}

  /** A directory that belongs to this member's and to no other. */
  static Path of(Path memberDirectory) {
    if (!hasPlenty()) {
      return memberDirectory.resolve("driver");
    }
    String path = memberDirectory.toAbsolutePath().normalize().toString();
    return MEMORY.resolve(PREFIX + UUID.nameUUIDFromBytes(path.getBytes(UTF_8))).resolve("driver");
  }

  /**
   * Makes what is around it, before the driver makes it; nothing if it was chosen by somebody else.
   *
   * @throws MemberException if another user has made that
   */
  static void enclose(Path driver) throws IOException {
    if (!isEnclosed(driver)) {
      return;
    }
    Path around = driver.getParent();
    try {
      Files.createDirectory(around, PosixFilePermissions.asFileAttribute(OWNER_ALONE));
    } catch (FileAlreadyExistsException e) {
      if (!isOwn(around)) {
        throw new MemberException(
            ("%s, where the media driver's files are to be, is not a directory of this user's: another"
                    + " user has made it. Remove it, or choose another place (driver-directory)")
                .formatted(around));
      }
      Files.setPosixFilePermissions(around, OWNER_ALONE);
    }
  }

  /** Removes what {@link #enclose} has made, once the driver has ended and removed its files. */
  static void remove(Path driver) throws IOException {
    if (isEnclosed(driver)) {
      try {
        Files.deleteIfExists(driver.getParent());
      } catch (DirectoryNotEmptyException e) {
        // A driver that could not end in order has left files, which the next one takes over.
      }
    }
  }

  private static boolean isEnclosed(Path driver) {
    Path around = driver.getParent();
    return around != null
        && MEMORY.equals(around.getParent())
        && around.getFileName().toString().startsWith(PREFIX);
  }

  private static boolean isOwn(Path path) throws IOException {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(SELF));
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
