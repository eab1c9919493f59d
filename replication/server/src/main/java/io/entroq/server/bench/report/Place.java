package io.entroq.server.bench.report;

import io.entroq.api.Durability;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a queue is that load is put on.
 *
 * @param data the directory of its log; empty if it is in memory
 * @param fileSystem the type of the file system that the directory is on
 * @param level what a reply promises
 * @param isTemporary whether the directory is removed at the end
 */
public record Place(
    Optional<Path> data, Optional<String> fileSystem, Durability level, boolean isTemporary) {
  /** Whether the log is in memory, though the level asks for a disk: its figures are no disk's. */
  public boolean isDiskless() {
    return level != Durability.NONE
        && fileSystem.filter(type -> type.equals("tmpfs") || type.equals("ramfs")).isPresent();
  }
}
