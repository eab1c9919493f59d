package io.entroq.engine.log.retention;

import io.entroq.engine.log.FreeSpace;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps the log from being removed while a tool reads it. Does nothing in directories that the tool
 * may not write to, such as on a read-only disk or of another user, or cannot, as on a full disk: a
 * running engine may then remove log that the tool has not read, and the tool reports that.
 */
public final class LogHold implements AutoCloseable {
  /** Room for the files of a reader, with plenty to spare. */
  private static final long ROOM_BYTES = 1 << 20;

  private static final String ROOT = "root";
  private static final String USER = System.getProperty("user.name", "");

  private final LogReader reader;

  private LogHold(LogReader reader) {
    this.reader = reader;
  }

  /**
   * Registers a reader of the whole log, which is kept as far as the engine allows. Does nothing if
   * there are no runs, because the directory may not be ours.
   *
   * @param tool name of the tool, part of the reader's name
   * @throws LogException if there are foreign files in place of the log, or if the directory is
   *     writable and the disk not full but the reader cannot be registered
   */
  public static LogHold of(LogDirectory directory, String tool) {
    Path data = directory.directory();
    if (directory.runs().isEmpty() || !Files.isWritable(data)) {
      return new LogHold(null);
    }
    String name =
        String.format(
            Locale.ROOT,
            "%s-%d-%08x",
            tool,
            ProcessHandle.current().pid(),
            ThreadLocalRandom.current().nextInt());
    try {
      UserPrincipal owner = Files.getOwner(data);
      boolean isOwn = owner.getName().equals(USER);
      if (!isOwn && !USER.equals(ROOT)) {
        return new LogHold(null);
      }
      LogReader reader = new LogReaders(directory).register(name, 1);
      if (!isOwn) {
        // Otherwise the engine could neither remove these files nor count the readers.
        Path readers = reader.file().getParent();
        for (Path path : List.of(readers, readers.resolve(LogReaders.MUTEX), reader.file())) {
          Files.setOwner(path, owner);
        }
      }
      return new LogHold(reader);
    } catch (LogException e) {
      if (FreeSpace.usableBytes(data) < ROOM_BYTES) {
        return new LogHold(null);
      }
      throw e;
    } catch (IOException e) {
      throw LogException.error(
          "Cannot register a reader in %s for its owner: %s".formatted(data, e), e);
    }
  }

  /** Releases the records before this one. */
  public void advance(long next) {
    if (reader != null) {
      reader.advance(next);
    }
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
    }
  }
}
