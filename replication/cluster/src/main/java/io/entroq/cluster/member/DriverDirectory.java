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
 * The default directory of the media driver: in memory if there is plenty. The driver writes its
 * mapped files all the time, and a slow disk would delay all threads at once.
 *
 * <p>All traffic between members passes through these files, and every user can create files in
 * {@code /dev/shm}. So they are in a directory that only the owner of this process can enter.
 */
final class DriverDirectory {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long PLENTY_BYTES = 1L << 30;
  private static final String PREFIX = "entroq-";

  /** Has the same owner as this process. */
  private static final Path SELF = Path.of("/proc/self");

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private DriverDirectory() {}

  /** The driver directory of the member in a directory; no other member has the same. */
  static Path of(Path memberDirectory) {
    if (!hasPlenty()) {
      return memberDirectory.resolve("driver");
    }
    String path = memberDirectory.toAbsolutePath().normalize().toString();
    return MEMORY.resolve(PREFIX + UUID.nameUUIDFromBytes(path.getBytes(UTF_8))).resolve("driver");
  }

  /**
   * Creates the protected parent directory before the driver creates its own. Does nothing for a
   * directory that was configured.
   *
   * @throws MemberException if the parent belongs to another user
   */
  static void createParent(Path driver) throws IOException {
    if (!isDefault(driver)) {
      return;
    }
    Path parent = driver.getParent();
    try {
      Files.createDirectory(parent, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException e) {
      if (!isOwn(parent)) {
        throw new MemberException(
            ("%s, the directory for the media driver's files, belongs to another user. Remove it, or"
                    + " choose another directory (driver-directory)")
                .formatted(parent));
      }
      Files.setPosixFilePermissions(parent, OWNER_ONLY);
    }
  }

  /** Removes the parent directory after the driver has removed its own. */
  static void removeParent(Path driver) throws IOException {
    if (isDefault(driver)) {
      try {
        Files.deleteIfExists(driver.getParent());
      } catch (DirectoryNotEmptyException e) {
        // A driver that did not end cleanly left files; the next one takes them over.
      }
    }
  }

  private static boolean isDefault(Path driver) {
    Path parent = driver.getParent();
    return parent != null
        && MEMORY.equals(parent.getParent())
        && parent.getFileName().toString().startsWith(PREFIX);
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
