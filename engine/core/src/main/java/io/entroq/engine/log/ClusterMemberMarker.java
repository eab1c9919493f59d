package io.entroq.engine.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * What tells the data directory of a cluster's member from that of an engine: a file that the
 * member writes and an engine never. The log in such a directory is a mirror of what the cluster
 * has agreed to, so nobody else may add to it, or it would be a mirror no more. Detached, the
 * directory is an engine's for good.
 */
public final class ClusterMemberMarker {
  /** The file; what is in it is the member's business. */
  public static final String FILE_NAME = "member";

  /** Its name in a directory that was detached. */
  public static final String DETACHED = "member.detached";

  private ClusterMemberMarker() {}

  /** Whether the directory belongs to a member. */
  public static boolean isIn(Path directory) {
    return Files.exists(directory.resolve(FILE_NAME));
  }

  /** Whether it did, and was detached. */
  public static boolean isDetached(Path directory) {
    return Files.exists(directory.resolve(DETACHED));
  }

  /** What is said to those who want to write to the directory of a member. */
  public static String refusal(Path directory) {
    return ("%s belongs to a member of a cluster, so it can only be read: its log is what the cluster"
            + " has agreed to. Ask a member; or stop this one and give it up, for good, by `entroq"
            + " detach %s`")
        .formatted(directory.toAbsolutePath(), directory);
  }

  /**
   * Returns if the directory belongs to no member.
   *
   * @throws LogException if it does
   */
  static void requireNone(Path directory) {
    if (isIn(directory)) {
      throw LogException.error(refusal(directory) + ".");
    }
  }

  /**
   * Makes the directory an engine's; on the disk when this returns. Its lock must be held, and all
   * that an engine takes to be on the disk must be there.
   *
   * @throws LogException if that cannot be done; it is a member's then
   */
  public static void detach(Path directory, Forcer forcer) {
    Path mark = directory.resolve(FILE_NAME);
    Path detached = directory.resolve(DETACHED);
    try {
      Files.move(mark, detached, StandardCopyOption.ATOMIC_MOVE);
      try {
        forcer.force(directory.toString(), () -> LogDirectory.force(directory));
      } catch (IOException e) {
        Files.move(detached, mark, StandardCopyOption.ATOMIC_MOVE);
        throw e;
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot detach %s: %s".formatted(directory.toAbsolutePath(), FileErrors.describe(e)), e);
    }
  }
}
