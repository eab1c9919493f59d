package io.entroq.engine.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Marks a data directory that belongs to a cluster member: a file that only members write. The log
 * in it mirrors the cluster's log, so nothing else may append to it. Detaching turns the directory
 * into an engine's for good.
 */
public final class ClusterMemberMarker {
  /** The file; only the member interprets its content. */
  public static final String FILE_NAME = "member";

  /** Its name in a detached directory. */
  public static final String DETACHED = "member.detached";

  private ClusterMemberMarker() {}

  public static boolean isIn(Path directory) {
    return Files.exists(directory.resolve(FILE_NAME));
  }

  public static boolean isDetached(Path directory) {
    return Files.exists(directory.resolve(DETACHED));
  }

  /** The error message for attempts to write to a member's directory. */
  public static String refusal(Path directory) {
    return ("%s belongs to a member of a cluster and is read-only, because its log mirrors the"
            + " cluster's. Use a running member; or stop this one and remove it from the cluster for"
            + " good with `entroq detach %s`")
        .formatted(directory.toAbsolutePath(), directory);
  }

  /** Throws {@link LogException} if the directory belongs to a member. */
  static void requireNone(Path directory) {
    if (isIn(directory)) {
      throw LogException.error(refusal(directory) + ".");
    }
  }

  /**
   * Turns the directory into an engine's, on the disk when this returns. The caller holds its lock
   * and has forced everything that an engine expects on the disk.
   *
   * @throws LogException if that fails; the directory then still belongs to the member
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
