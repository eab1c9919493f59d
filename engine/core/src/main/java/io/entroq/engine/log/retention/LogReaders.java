package io.entroq.engine.log.retention;

import io.entroq.engine.log.DataFile;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The registered readers of a log, in this process and others.
 *
 * <pre>
 * DIR/readers/NAME    the first record that NAME still needs, locked by its process
 * DIR/readers/.lock   locked briefly to add, remove or count readers
 * </pre>
 *
 * <p>An unlocked file belongs to a process that has ended, and is removed. The operating system's
 * lock belongs to the process and is released when any handle on the file is closed; so readers of
 * this process are looked up in {@link #HELD}, and their files are not opened again. Thread-safe.
 */
public final class LogReaders {
  private static final System.Logger LOGGER = System.getLogger(LogReaders.class.getName());
  private static final String READERS = "readers";
  static final String MUTEX = ".lock";
  private static final int READS_MAX = 3;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** The readers of this process by file; also the monitor for all use of the mutex file in it. */
  private static final Map<Path, LogReader> HELD = new HashMap<>();

  private final Path directory;
  private final LogRetention retention;
  private final Set<String> passedOver = new HashSet<>();

  public LogReaders(LogDirectory directory) {
    this.directory = directory.directory().resolve(READERS);
    this.retention = new LogRetention(directory);
  }

  /**
   * Registers a reader. The log is kept for it unless it holds more than the engine allows.
   *
   * @param name unique name: 1 to 64 letters, digits, dots, dashes and underscores, starting with a
   *     letter or digit
   * @param sequence the first record needed; it may already have been removed
   * @throws IllegalArgumentException if the name is invalid
   * @throws LogException if the name is in use, or the directory cannot be written
   */
  public LogReader register(String name, long sequence) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          ("\"%s\" is not a valid reader name: use 1 to 64 letters, digits, dots, dashes and"
                  + " underscores, starting with a letter or digit")
              .formatted(name));
    }
    synchronized (HELD) {
      try {
        Files.createDirectories(directory);
        Path file = directory.toRealPath().resolve(name);
        if (HELD.containsKey(file)) {
          throw inUse(name, "this process");
        }
        LogReader reader = underMutex(() -> create(file, sequence));
        HELD.put(file, reader);
        return reader;
      } catch (IOException e) {
        throw LogException.error(
            "Cannot register the reader %s in %s: %s"
                .formatted(name, directory, FileErrors.describe(e)),
            e);
      }
    }
  }

  private LogReader create(Path file, long sequence) throws IOException {
    FileChannel channel =
        DataFile.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw inUse(file.getFileName().toString(), "another process");
      }
      return new LogReader(this, file, channel, sequence);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  void remove(LogReader reader) {
    synchronized (HELD) {
      if (!HELD.remove(reader.file(), reader)) {
        return;
      }
      try {
        underMutex(() -> delete(reader));
      } catch (IOException e) {
        throw LogException.error(
            "Cannot remove the reader %s: %s".formatted(reader.file(), FileErrors.describe(e)), e);
      }
    }
  }

  private static boolean delete(LogReader reader) throws IOException {
    // Release the lock last, so that the file others see is always locked by its reader.
    try {
      return Files.deleteIfExists(reader.file());
    } finally {
      reader.channel().close();
    }
  }

  /**
   * The first record that a reader still needs, but at most {@code sequence}.
   *
   * @param sequence the first record to keep if there were no readers
   * @param bytesMax a reader that holds more than this many additional bytes is ignored; it fails
   *     when it reads on
   * @throws LogException if the readers cannot be listed
   */
  public long lowestHeld(long sequence, long bytesMax) {
    TreeMap<Long, String> held = new TreeMap<>();
    for (Map.Entry<String, Long> reader : readers().entrySet()) {
      if (reader.getValue() < sequence) {
        held.put(reader.getValue(), reader.getKey());
      }
    }
    long all = held.isEmpty() ? 0 : retention.removableBytes(sequence);
    for (Map.Entry<Long, String> reader : held.entrySet()) {
      long bytes = all - retention.removableBytes(reader.getKey());
      if (bytes <= bytesMax) {
        return reader.getKey();
      }
      warn(reader.getValue(), reader.getKey(), bytes, bytesMax);
    }
    return sequence;
  }

  private void warn(String name, long sequence, long bytes, long bytesMax) {
    if (passedOver.add(name)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          ("The reader %s in %s still needs the log from record %,d, which is %,d bytes; at most %,d are"
                  + " kept for a reader. The log is no longer kept for it.")
              .formatted(name, directory, sequence, bytes, bytesMax));
    }
  }

  /** All readers with the first record that each needs; removes the files of dead readers. */
  private Map<String, Long> readers() {
    Map<String, Long> readers = new HashMap<>();
    synchronized (HELD) {
      if (!Files.isDirectory(directory)) {
        return readers;
      }
      try (FileChannel mutex = openMutex()) {
        // Without the mutex, an unlocked file may be one that is just being created.
        boolean mayRemove = mutex.tryLock() != null;
        for (Path file : files()) {
          long sequence = sequenceOf(file, mayRemove);
          if (sequence >= 0) {
            readers.put(file.getFileName().toString(), sequence);
          }
        }
        return readers;
      } catch (IOException e) {
        throw LogException.error(
            "Cannot list the readers in %s: %s".formatted(directory, FileErrors.describe(e)), e);
      }
    }
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path file : DataFile.entries(directory.toRealPath())) {
      if (NAME.matcher(file.getFileName().toString()).matches()) {
        files.add(file);
      }
    }
    return files;
  }

  /** The first record the reader needs; -1 if it is dead. */
  private static long sequenceOf(Path file, boolean mayRemove) throws IOException {
    LogReader here = HELD.get(file);
    if (here != null) {
      return here.sequence();
    }
    try {
      return mayRemove && removeStale(file) ? -1 : read(file);
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  /** Removes the file if it is not locked; returns whether it was not. */
  private static boolean removeStale(Path file) throws IOException {
    try (FileChannel channel = DataFile.open(file, StandardOpenOption.WRITE)) {
      boolean isStale = channel.tryLock() != null;
      if (isStale) {
        Files.deleteIfExists(file);
      }
      return isStale;
    }
  }

  /** Retries if the file was being written; an invalid file holds the whole log. */
  private static long read(Path file) throws IOException {
    long sequence = 0;
    try (FileChannel channel = DataFile.open(file, StandardOpenOption.READ)) {
      for (int tries = 0; tries < READS_MAX && sequence == 0; tries++) {
        ByteBuffer bytes = ByteBuffer.allocate(LogReader.FILE_BYTES);
        channel.read(bytes, 0);
        sequence =
            LogReader.decode(
                new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
      }
    }
    return sequence;
  }

  private <T> T underMutex(Action<T> action) throws IOException {
    FileChannel mutex = openMutex();
    try {
      mutex.lock();
      return action.run();
    } finally {
      mutex.close();
    }
  }

  private FileChannel openMutex() throws IOException {
    return DataFile.open(
        directory.resolve(MUTEX), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static LogException inUse(String name, String by) {
    return LogException.error(
        "A reader named %s already exists in %s. Choose another name.".formatted(name, by));
  }

  private interface Action<T> {
    T run() throws IOException;
  }
}
