package io.entroq.engine.log;

import io.entroq.engine.Closing;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The data directory of a log.
 *
 * <pre>
 * DIR/lock                                     held while DIR is in use, with the process id
 * DIR/log/run-000001-00000000000000000001/…cq4 segments written by the first opening
 * DIR/log/run-000002-00000000000000000731/…cq4 by the second, from record 731
 * DIR/snapshots/                               snapshots of the state
 * DIR/snapshots-set-aside/                     snapshots set aside by a repair of the log
 * DIR/id-filters/                              which ids parts of the log have effects on
 * DIR/readers/                                 registered readers of the log
 * DIR/closed                                   where the log ended at the last clean close
 * DIR/member                                   exists if the log mirrors a cluster's
 * </pre>
 *
 * <p>Every opening starts a new run and does not modify earlier ones, so nothing is ever appended
 * to what an earlier process wrote, perhaps partially. An engine locks the directory against
 * others. A reader takes no lock and may run beside an engine.
 */
public final class LogDirectory implements AutoCloseable {
  /** Marks a data directory whose restore is not complete. */
  public static final String UNFINISHED_RESTORE = "restore.tmp";

  /** Marks a directory whose backup is not complete. */
  public static final String UNFINISHED_BACKUP = "backup.tmp";

  /** The directory of the log in a data directory. */
  public static final String LOG = "log";

  private static final Set<String> EXPECTED =
      Set.of(
          LOG,
          "snapshots",
          "snapshots-set-aside",
          "id-filters",
          "readers",
          "lost+found",
          CleanCloseMarker.FILE_NAME,
          CleanCloseMarker.UNFINISHED);
  private static final Pattern RUN = Pattern.compile("run-(\\d{6,9})-(\\d{20})");
  private static final int RUN_NUMBER_MAX = 999_999_999;
  private static final String CHRONICLE_METADATA = "metadata.cq4t";

  private final Path directory;
  private final Path log;
  private final DirectoryLock lock;

  /** Whether closing this releases the lock. */
  private final boolean isLockOwn;

  /** The entries of the run of this opening; null before it is created. */
  private volatile RunEntries current;

  private LogDirectory(Path directory, DirectoryLock lock, boolean isLockOwn) {
    this.directory = directory;
    this.log = directory.resolve(LOG);
    this.lock = lock;
    this.isLockOwn = isLockOwn;
  }

  /**
   * Locks the directory for this engine, creating it if necessary.
   *
   * @throws LogException if another engine holds it, if it contains anything but a log, or if it
   *     belongs to a cluster member
   */
  public static LogDirectory open(Path directory) {
    return open(directory, ProcessHandle.current().pid());
  }

  /**
   * As {@link #open(Path)}, with another process id.
   *
   * @param processId written to the lock file, for the error messages of others
   */
  public static LogDirectory open(Path directory, long processId) {
    try {
      createDirectories(directory);
      requireOurs(directory);
      DirectoryLock lock = DirectoryLock.acquire(directory, processId);
      return prepared(new LogDirectory(directory, lock, true));
    } catch (IOException e) {
      throw cannotOpen(directory, e);
    }
  }

  /**
   * Uses the directory of a cluster member, which keeps the lock.
   *
   * @param lock the member's lock of the directory, held while this is in use
   * @throws LogException if the directory cannot be read or contains foreign files
   */
  public static LogDirectory ofMember(Path directory, DirectoryLock lock) {
    try {
      return prepared(new LogDirectory(directory, lock, false));
    } catch (IOException e) {
      throw cannotOpen(directory, e);
    }
  }

  private static LogException cannotOpen(Path directory, IOException e) {
    return LogException.error(
        "Cannot open the data directory %s: %s"
            .formatted(directory.toAbsolutePath(), FileErrors.describe(e)),
        e);
  }

  private static LogDirectory prepared(LogDirectory opened) throws IOException {
    try {
      if (!Files.isDirectory(opened.log)) {
        forceAbove(opened.directory);
      }
      createDirectories(opened.log);
      force(opened.directory);
      opened.runs();
      return opened;
    } catch (Throwable t) {
      Closing.after(t, opened);
      throw t;
    }
  }

  /**
   * Opens a directory read-only, without a lock; an engine may be running in it.
   *
   * @throws LogException if it has no log or cannot be read
   */
  public static LogDirectory read(Path directory) {
    if (!isDirectory(directory)) {
      throw noLog(
          directory, Files.exists(directory) ? "it is not a directory" : "it does not exist");
    }
    if (!isDirectory(directory.resolve(LOG))) {
      throw noLog(directory, "it has no subdirectory log");
    }
    return new LogDirectory(directory, null, false);
  }

  /** Unlike {@link Files#isDirectory}, throws if access is denied. */
  private static boolean isDirectory(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).isDirectory();
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw LogException.error(
          "Cannot read the data directory: %s".formatted(FileErrors.describe(e)), e);
    }
  }

  private static LogException noLog(Path directory, String why) {
    return LogException.error(
        "There is no log in %s: %s. Name the data directory of an engine."
            .formatted(directory.toAbsolutePath(), why));
  }

  /** The data directory. */
  public Path directory() {
    return directory;
  }

  /** Free bytes on the directory's file system; 0 if unknown. */
  public long usableBytes() {
    return FreeSpace.usableBytes(directory);
  }

  /**
   * The runs in order of creation, each with its segments in order.
   *
   * @throws LogException if there are foreign files among them
   */
  public List<LogRun> runs() {
    List<LogRun> runs = new ArrayList<>();
    for (Path entry : entries(log)) {
      LogRun run = run(entry);
      if (run != null) {
        runs.add(run);
      }
    }
    runs.sort(Comparator.comparingInt(LogRun::number));
    requireNumberLeft(runs);
    return runs;
  }

  /**
   * Rejects a run with the highest number, which no engine reaches; it leaves none for another run.
   */
  private void requireNumberLeft(List<LogRun> runs) {
    int last = runs.size() - 1;
    if (runs.isEmpty() || runs.get(last).number() < RUN_NUMBER_MAX) {
      return;
    }
    LogRun run = runs.get(last);
    int next = 1;
    boolean isFree = true;
    for (LogRun other : runs.subList(0, last)) {
      next = other.firstSequence() <= run.firstSequence() ? other.number() + 1 : next;
    }
    for (LogRun other : runs) {
      isFree &= other.number() != next;
    }
    String rename =
        "If that run was renamed, call it %s; otherwise move"
            .formatted(runName(next, run.firstSequence()));
    throw LogException.error(
        "There is no number left in %s for another run after %s. %s it away from there."
            .formatted(
                log.toAbsolutePath(), run.directory().getFileName(), isFree ? rename : "Move"));
  }

  private static String runName(int number, long firstSequence) {
    return String.format(Locale.ROOT, "run-%06d-%020d", number, firstSequence);
  }

  /** Null if it no longer exists: retention may remove runs concurrently. */
  private static LogRun run(Path entry) {
    try {
      Matcher name = RUN.matcher(entry.getFileName().toString());
      if (name.matches() && Files.isDirectory(entry)) {
        int number = Integer.parseInt(name.group(1));
        return new LogRun(number, Long.parseLong(name.group(2)), entry, segments(entry));
      }
    } catch (LogException e) {
      if (isThere(entry)) {
        throw e;
      }
    } catch (NumberFormatException e) {
      throw foreign(entry, "its name has an invalid sequence");
    }
    if (isThere(entry)) {
      throw foreign(entry, "that directory contains only runs of the log");
    }
    return null;
  }

  /** True for a dangling link too. */
  private static boolean isThere(Path entry) {
    return Files.exists(entry, LinkOption.NOFOLLOW_LINKS);
  }

  private static List<LogSegment> segments(Path run) {
    List<LogSegment> segments = new ArrayList<>();
    for (Path entry : entries(run)) {
      String name = entry.getFileName().toString();
      long number = SegmentLayout.numberOf(name);
      if (number >= 0) {
        segments.add(new LogSegment(number, entry));
      } else if (!name.equals(CHRONICLE_METADATA)) {
        throw foreign(entry, "that directory contains only segments of the log");
      }
    }
    segments.sort(Comparator.comparingLong(LogSegment::number));
    return segments;
  }

  /**
   * The number of a segment's run.
   *
   * @param segment name of the run, a slash, and name of the file
   * @return 0 if it is not of that form
   */
  public static int runNumber(String segment) {
    int slash = segment.indexOf('/');
    Matcher name = RUN.matcher(segment.substring(0, Math.max(0, slash)));
    return name.matches() ? Integer.parseInt(name.group(1)) : 0;
  }

  /**
   * Creates the directory of a new run, on the disk when this returns.
   *
   * @param firstSequence the sequence of its first record
   */
  public Path newRun(long firstSequence) {
    requireLocked();
    List<LogRun> runs = runs();
    int number = runs.isEmpty() ? 1 : runs.get(runs.size() - 1).number() + 1;
    return create(log.resolve(runName(number, firstSequence)));
  }

  private Path create(Path run) {
    try {
      Files.createDirectory(run);
      force(log);
      current = new RunEntries(run);
      return run;
    } catch (IOException e) {
      throw LogException.error("Cannot create %s: %s".formatted(run, FileErrors.describe(e)), e);
    }
  }

  /**
   * Removes a run without records, including its files, if possible.
   *
   * @param run as returned by {@link #newRun}
   */
  public void removeRun(Path run) {
    requireLocked();
    try {
      for (Path file : entries(run)) {
        Files.delete(file);
      }
      Files.delete(run);
      force(log);
    } catch (IOException | LogException e) {
      // An empty run is harmless: readers skip it.
    }
  }

  /**
   * Removes a segment, on the disk when this returns. Any thread.
   *
   * @throws LogException if it cannot be removed
   */
  public void removeSegment(LogSegment segment) {
    requireLocked();
    Path run = segment.file().getParent();
    RunEntries growing = current;
    try {
      if (growing != null && growing.areOf(run)) {
        growing.remove(segment.file());
      } else {
        // No segment is created there any more, so a failed force may be retried.
        Files.deleteIfExists(segment.file());
        force(run);
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot remove %s: %s".formatted(segment.file(), FileErrors.describe(e)), e);
    }
  }

  /**
   * Forces the names of the segments in this opening's run.
   *
   * @throws IOException if one may not be on the disk
   */
  void forceNames() throws IOException {
    current.force();
  }

  /**
   * Truncates a segment after its last record, if possible. Files are preallocated, and readers
   * would otherwise scan the zeros. Requires the lock.
   *
   * @param offset where the next record would begin
   */
  public void trim(Path segment, long offset) {
    requireLocked();
    try (FileChannel channel = DataFile.open(segment, StandardOpenOption.WRITE)) {
      channel.truncate(SegmentLayout.endOfFile(offset));
    } catch (IOException e) {
      // The untruncated segment is valid too.
    }
  }

  /** Where the log ended at the last clean close; null if unknown. */
  public CleanCloseMarker closedMark() {
    return CleanCloseMarker.read(directory);
  }

  /**
   * Marks where the log ends, if possible. A log without the mark is valid, but records lost from
   * its end are then not detected.
   *
   * @param run as returned by {@link #newRun}
   * @param sequence the last record, which is on the disk with all before it
   * @param logTag tag of the log
   */
  public void markClosed(Path run, long sequence, int logTag, Forcer forcer) {
    requireLocked();
    Matcher name = RUN.matcher(run.getFileName().toString());
    if (!name.matches()) {
      throw new IllegalArgumentException(run + " is not a run");
    }
    try {
      int number = Integer.parseInt(name.group(1));
      new CleanCloseMarker(sequence, number, logTag).write(directory, forcer);
    } catch (IOException e) {
      // The log is valid without the mark.
    }
  }

  /**
   * Removes the mark of the last clean close, before the first append.
   *
   * @throws IOException if it may still be on the disk
   */
  public void removeClosedMark(Forcer forcer) throws IOException {
    requireLocked();
    CleanCloseMarker.remove(directory, forcer);
  }

  /** Whether this may modify the directory. */
  public boolean isLocked() {
    return lock != null;
  }

  private void requireLocked() {
    if (!isLocked()) {
      throw new IllegalStateException(directory + " was opened read-only");
    }
  }

  /** Forces a directory, so that its entries are on the disk. */
  public static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void close() {
    if (isLockOwn) {
      lock.close();
    }
  }

  /**
   * Forces all parent directories. An earlier process may have been killed after it had created the
   * directory or a parent, but before that entry was on the disk. Stops at a parent that this user
   * may not read or that cannot be forced, because we did not create it.
   */
  private static void forceAbove(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().normalize().getParent();
    for (Path above = parent; above != null; above = above.getParent()) {
      try {
        force(above);
      } catch (AccessDeniedException e) {
        return;
      } catch (IOException e) {
        if (above.equals(parent)) {
          throw e;
        }
        return;
      }
    }
  }

  private static void createDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    createDirectories(parent);
    Files.createDirectory(directory);
    force(parent);
  }

  /** A directory that was never locked must be empty: it may contain something else. */
  private static void requireOurs(Path directory) {
    requireFinished(directory);
    ClusterMemberMarker.requireNone(directory);
    if (DirectoryLock.exists(directory)) {
      return;
    }
    for (Path entry : entries(directory)) {
      String name = entry.getFileName().toString();
      if (!EXPECTED.contains(name)) {
        throw foreign(entry, "a log can only be created in an empty directory");
      }
    }
  }

  /**
   * Throws {@link LogException} if the directory has an unfinished restore or backup, which would
   * silently lack data.
   */
  public static void requireFinished(Path directory) {
    if (Files.exists(directory.resolve(UNFINISHED_RESTORE))) {
      throw LogException.error(
          "The restore to %s was not finished: it contains %s. Empty that directory and restore again."
              .formatted(directory.toAbsolutePath(), UNFINISHED_RESTORE));
    }
    if (Files.exists(directory.resolve(UNFINISHED_BACKUP))) {
      throw LogException.error(
          ("The backup to %s was not finished: it contains %s, and is neither a backup nor a data"
                  + " directory. Remove it, and make the backup again.")
              .formatted(directory.toAbsolutePath(), UNFINISHED_BACKUP));
    }
  }

  private static List<Path> entries(Path directory) {
    try {
      return DataFile.entries(directory);
    } catch (IOException e) {
      throw unlistable(directory, e);
    }
  }

  private static LogException unlistable(Path directory, IOException e) {
    return LogException.error(
        "Cannot list %s: %s".formatted(directory.toAbsolutePath(), FileErrors.describe(e)), e);
  }

  private static LogException foreign(Path entry, String why) {
    return LogException.error(
        "%s does not belong there: %s. Choose another data directory, or move it away from %s."
            .formatted(entry.getFileName(), why, entry.getParent().toAbsolutePath()));
  }
}
