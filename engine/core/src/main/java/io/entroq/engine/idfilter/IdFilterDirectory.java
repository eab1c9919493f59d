package io.entroq.engine.idfilter;

import io.entroq.codec.wire.IdKey;
import io.entroq.engine.log.DataFile;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.FreeSpace;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.SmallFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files that name the ids of parts of a log.
 *
 * <pre>
 * DIR/id-filters/ids-00000000000000001462      of the stretch that ends with record 1462
 * DIR/id-filters/ids-00000000000000002193.tmp  being written, or left by a process that was killed
 * </pre>
 *
 * <p>Any of them may be deleted at any time; then that stretch is read. One thread writes, any
 * reads and removes.
 */
public final class IdFilterDirectory {
  /** In a data directory. */
  public static final String NAME = "id-filters";

  private static final Logger LOGGER = System.getLogger(IdFilterDirectory.class.getName());
  private static final Forcer NOT_FORCED = (what, action) -> {};
  private static final Pattern FILE = Pattern.compile("ids-(0\\d{19})(\\.tmp)?");

  private final Path data;
  private final Path directory;

  /**
   * @param data the directory of the log; need not have any yet
   */
  public IdFilterDirectory(Path data) {
    this.data = data;
    this.directory = data.resolve(NAME);
  }

  /**
   * Writes the stretches that were cut. They are not forced: what a loss of power leaves of a file
   * is noticed when it is read, and nobody should wait for the disk for that.
   *
   * @param roomBytes leaves so many bytes of the disk free: what does not fit is not written
   * @throws LogException if a file cannot be written; the stretch is lost
   */
  public void write(IdRecorder recorder, long roomBytes) {
    for (IdStretch next = recorder.take(); next != null; next = recorder.take()) {
      try {
        byte[] file = IdFilterFile.of(next);
        if (FreeSpace.usableBytes(data) >= roomBytes + file.length) {
          Files.createDirectories(directory);
          SmallFile.replace(directory, name(next.end().sequence()), file, NOT_FORCED);
        }
      } catch (IOException e) {
        throw LogException.error(
            "Cannot write the ids of records %,d to %,d to %s: %s"
                .formatted(
                    next.begin().sequence() + 1,
                    next.end().sequence(),
                    directory,
                    FileErrors.describe(e)),
            e);
      } finally {
        recorder.giveBack(next);
      }
    }
  }

  private static String name(long last) {
    return String.format(Locale.ROOT, "ids-%020d", last);
  }

  /**
   * What all files together say about some tasks. Skips files that are damaged or cannot be read.
   *
   * @param ids of the tasks
   */
  public QuietLog quiet(Collection<IdKey> ids) {
    QuietLog quiet = new QuietLog(ids);
    for (Path file : files(false).values()) {
      IdFilterFile read = read(file);
      if (read != null) {
        quiet.add(read);
      }
    }
    return quiet;
  }

  private static IdFilterFile read(Path file) {
    try {
      long bytes = Files.size(file);
      return bytes > IdFilterFile.BYTES_MAX
          ? null
          : IdFilterFile.parse(SmallFile.read(file, (int) bytes));
    } catch (IOException | OutOfMemoryError e) {
      return null;
    }
  }

  /** The files by the sequences with which they end; none if they cannot be listed. */
  private NavigableMap<Long, Path> files(boolean areUnfinished) {
    TreeMap<Long, Path> files = new TreeMap<>();
    try {
      if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        for (Path file : DataFile.entries(directory)) {
          Matcher name = FILE.matcher(file.getFileName().toString());
          if (name.matches() && areUnfinished == (name.group(2) != null)) {
            files.put(Long.parseLong(name.group(1)), file);
          }
        }
      }
    } catch (IOException e) {
      files.clear();
    }
    return files;
  }

  /** The bytes of the files of stretches that end after a sequence, and not after another one. */
  public long bytes(long after, long until) {
    long bytes = 0;
    for (Path file : files(false).subMap(after, false, Math.max(after, until), true).values()) {
      try {
        bytes += Files.size(file);
      } catch (IOException e) {
        // It was removed.
      }
    }
    return bytes;
  }

  /**
   * Removes the files of stretches that end at or before a sequence: whoever reads the log begins
   * there or later. A file that cannot be removed stays, and a warning says so: it only takes room.
   */
  public void removeUpTo(long sequence) {
    for (boolean areUnfinished : new boolean[] {false, true}) {
      for (Path file : files(areUnfinished).headMap(sequence, true).values()) {
        try {
          Files.deleteIfExists(file);
        } catch (IOException e) {
          LOGGER.log(
              Level.WARNING, "Cannot remove the ids in {0}: {1}", file, FileErrors.describe(e));
        }
      }
    }
  }

  /** Removes all files, as {@link #removeUpTo} does. */
  public void clear() {
    removeUpTo(Long.MAX_VALUE);
  }
}
