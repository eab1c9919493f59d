package io.entroq.engine.log.retention;

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
 * Has the log kept for a tool while it reads, where the tool may say so: on a disk that is mounted
 * to be read, or in a directory of somebody else, it may not, and reads all the same.
 */
public final class LogHold implements AutoCloseable {
  private static final String ROOT = "root";
  private static final String USER = System.getProperty("user.name", "");

  private final LogReader reader;

  private LogHold(LogReader reader) {
    this.reader = reader;
  }

  /**
   * From now on all of the log is kept, as long as that is not more than the engine allows. Of what
   * has no runs nothing need be kept: it may be a directory that only looks like one of ours.
   *
   * @param tool what reads, as part of the reader's name
   * @throws LogException if there is something else in the place of the log, or if the directory
   *     can be written and the reader cannot be registered
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
        // What the engine cannot write it could not remove either, nor could it count its readers.
        Path readers = reader.file().getParent();
        for (Path path : List.of(readers, readers.resolve(LogReaders.MUTEX), reader.file())) {
          Files.setOwner(path, owner);
        }
      }
      return new LogHold(reader);
    } catch (IOException e) {
      throw LogException.error(
          "Cannot register a reader in %s for its owner: %s".formatted(data, e), e);
    }
  }

  /** The records before this one are not needed any more. */
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
