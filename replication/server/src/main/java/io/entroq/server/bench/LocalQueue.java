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
 * An engine in this process, with a data directory or in memory. For one thread.
 *
 * <p>Without a directory, it runs in memory; if the durability level requires a log, it uses a
 * temporary directory and removes it on close.
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
   * @param directory the data directory, created if missing
   * @param level what a reply guarantees; if empty, {@code OS} with a directory, else {@code NONE}
   * @throws LogException if the directory is in use, damaged, or cannot be used
   * @throws CommandException if the JVM lacks a flag; the message names it
   */
  public static LocalQueue open(Optional<Path> directory, Optional<Durability> level) {
    requireFlags();
    Durability chosen = level.orElse(directory.isPresent() ? Durability.OS : Durability.NONE);
    if (directory.isEmpty() && chosen == Durability.NONE) {
      return new LocalQueue(EmbeddedEntroQ.inMemory(), chosen, Optional.empty());
    }
    DataDirectory data = DataDirectory.choose(directory, "bench");
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

  public EntroQ queue() {
    return queue;
  }

  public TargetDescription target() {
    return new TargetDescription(
        data.map(DataDirectory::path),
        data.map(DataDirectory::path).map(LocalQueue::fileSystem),
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
   * Closes the queue and removes a temporary directory.
   *
   * @throws LogException if the directory cannot be removed
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
