package io.entroq.server.bench;

import io.entroq.api.Durability;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a queue is that load is put on.
 *
 * @param server the address of the server that has it; empty if it is in this process
 * @param connections how many connections there are to the server
 * @param data the directory of its log; empty if it is in memory, or a server's
 * @param fileSystem the type of the file system that the directory is on
 * @param level what a reply promises; empty if only the server knows
 * @param isTemporary whether the directory is removed at the end
 */
public record TargetDescription(
    Optional<String> server,
    int connections,
    Optional<Path> data,
    Optional<String> fileSystem,
    Optional<Durability> level,
    boolean isTemporary) {
  /** In this process. */
  public TargetDescription(
      Optional<Path> data, Optional<String> fileSystem, Durability level, boolean isTemporary) {
    this(Optional.empty(), 0, data, fileSystem, Optional.of(level), isTemporary);
  }

  /** On a server. */
  public static TargetDescription ofServer(String server, int connections) {
    return new TargetDescription(
        Optional.of(server),
        connections,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** Whether the log is in memory, though the level asks for a disk: its figures are no disk's. */
  public boolean isDiskless() {
    return level.filter(promised -> promised != Durability.NONE).isPresent()
        && fileSystem.filter(type -> type.equals("tmpfs") || type.equals("ramfs")).isPresent();
  }
}
