package io.entroq.server.bench;

import io.entroq.api.Durability;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Describes the queue under load.
 *
 * @param server address of the server; empty for an engine in this process
 * @param connections number of connections to the server
 * @param data data directory of an engine in this process; empty in memory or on a server
 * @param fileSystem type of the directory's file system
 * @param level what a reply guarantees; empty on a server, as the client cannot tell
 * @param isTemporary whether the directory is removed on close
 */
public record TargetDescription(
    Optional<String> server,
    int connections,
    Optional<Path> data,
    Optional<String> fileSystem,
    Optional<Durability> level,
    boolean isTemporary) {
  /** An engine in this process. */
  public TargetDescription(
      Optional<Path> data, Optional<String> fileSystem, Durability level, boolean isTemporary) {
    this(Optional.empty(), 0, data, fileSystem, Optional.of(level), isTemporary);
  }

  public static TargetDescription ofServer(String server, int connections) {
    return new TargetDescription(
        Optional.of(server),
        connections,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** Whether the log is on a memory file system, so that the figures do not reflect a disk. */
  public boolean isDiskless() {
    return level.filter(promised -> promised != Durability.NONE).isPresent()
        && fileSystem.filter(type -> type.equals("tmpfs") || type.equals("ramfs")).isPresent();
  }
}
