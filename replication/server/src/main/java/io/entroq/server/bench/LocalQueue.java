package io.entroq.server.bench;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.engine.JvmFlags;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogException;
import io.entroq.server.serving.DataDirectory;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An engine in this process, in a directory or in memory. For one thread.
 *
 * <p>Without a directory it is in memory, unless the level asks for a log: that is in a temporary
 * directory then, which is removed at the end.
 */
public final class LocalQueue implements AutoCloseable {
  private final EntroQ queue;
  private final Durability level;
  private final Optional<DataDirectory> data;

  private LocalQueue(EntroQ queue, Durability level, Optional<DataDirectory> data) {
    this.queue = queue;
    this.level = level;
    this.data = data;
  }

  /**
   * Opens it.
   *
   * @param given the directory, which is made if need be; empty: none is given
   * @param level what a reply promises; empty: {@code OS} in a given directory, else {@code NONE}
   * @throws LogException if the directory is in use, damaged, or cannot be used
   * @throws CommandException if the JVM lacks a flag; the message has the line to add
   */
  public static LocalQueue open(Optional<Path> given, Optional<Durability> level) {
    requireFlags();
    Durability chosen = level.orElse(given.isPresent() ? Durability.OS : Durability.NONE);
    if (given.isEmpty() && chosen == Durability.NONE) {
      return new LocalQueue(EmbeddedEntroQ.inMemory(), chosen, Optional.empty());
    }
    DataDirectory data = DataDirectory.choose(given, "bench");
    try {
      EntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(data.path()).durability(chosen).build());
      return new LocalQueue(queue, chosen, Optional.of(data));
    } catch (RuntimeException e) {
      if (data.isTemporary()) {
        data.remove();
      }
      throw e;
    }
  }

  private static void requireFlags() {
    try {
      JvmFlags.require();
    } catch (IllegalStateException e) {
      throw new CommandException(e.getMessage(), e);
    }
  }

  /** The queue itself. */
  public EntroQ queue() {
    return queue;
  }

  /** Where it is and what it promises. */
  public TargetDescription place() {
    return new TargetDescription(
        data.map(DataDirectory::path),
        data.map(directory -> fileSystem(directory.path())),
        level,
        data.map(DataDirectory::isTemporary).orElse(false));
  }

  private static String fileSystem(Path path) {
    try {
      return Files.getFileStore(path).type();
    } catch (IOException e) {
      throw LogException.error("Cannot read the data directory " + path + ": " + e, e);
    }
  }

  /**
   * Closes it, and removes what is temporary.
   *
   * @throws LogException if that cannot be removed
   */
  @Override
  public void close() {
    try {
      queue.close();
    } finally {
      data.filter(DataDirectory::isTemporary).ifPresent(DataDirectory::remove);
    }
  }
}
