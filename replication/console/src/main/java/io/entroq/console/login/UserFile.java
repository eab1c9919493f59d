package io.entroq.console.login;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of users, read again after it has changed. While it cannot be read, the users are those
 * that it had before. Any thread.
 */
public final class UserFile {
  private static final Logger LOG = LoggerFactory.getLogger(UserFile.class);
  private static final long CHECK_NANOS = 1_000_000_000L;
  private static final int USERS_MAX = 10_000;

  private final Path file;
  private final LongSupplier nanoClock;
  private Map<String, UserEntry> users;
  private FileTime readAt;
  private long size;
  private long checkedNanos;

  /**
   * Reads the file.
   *
   * @throws LoginException if it cannot be read, or a line is wrong
   */
  public UserFile(Path file) throws LoginException {
    this(file, System::nanoTime);
  }

  UserFile(Path file, LongSupplier nanoClock) throws LoginException {
    this.file = file;
    this.nanoClock = nanoClock;
    try {
      read();
    } catch (IOException | IllegalArgumentException e) {
      throw new LoginException("cannot use the file of users " + file + ": " + reason(e));
    }
    checkedNanos = nanoClock.getAsLong();
  }

  private static String reason(Exception e) {
    return e instanceof IOException ? e.toString() : e.getMessage();
  }

  /** The user of a name. Looks at the file once a second at most. */
  public synchronized Optional<UserEntry> find(String name) {
    long now = nanoClock.getAsLong();
    if (now - checkedNanos >= CHECK_NANOS) {
      checkedNanos = now;
      readIfChanged();
    }
    return Optional.ofNullable(users.get(name));
  }

  private void readIfChanged() {
    try {
      if (!Files.getLastModifiedTime(file).equals(readAt) || Files.size(file) != size) {
        read();
        LOG.info("Read the file of users {} again: {} users.", file, users.size());
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("Cannot read the file of users {}, so they stay as they are: {}", file, reason(e));
    }
  }

  private void read() throws IOException {
    // Before the bytes: a change in between is noticed next time.
    FileTime modified = Files.getLastModifiedTime(file);
    List<String> lines = Files.readAllLines(file);
    Map<String, UserEntry> found = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      add(found, line, i + 1);
    }
    users = found;
    readAt = modified;
    size = Files.size(file);
  }

  private static void add(Map<String, UserEntry> found, String line, int number) {
    try {
      UserEntry user = UserEntry.of(line);
      if (found.putIfAbsent(user.name(), user) != null) {
        throw new IllegalArgumentException("the name is there twice");
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
    }
    if (found.size() > USERS_MAX) {
      throw new IllegalArgumentException("more than " + USERS_MAX + " users");
    }
  }
}
