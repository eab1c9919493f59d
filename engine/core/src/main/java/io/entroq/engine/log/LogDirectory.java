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
 * The place of a log on disk.
 *
 * <pre>
 * DIR/lock                                     who uses DIR, while he does
 * DIR/log/run-000001-00000000000000000001/…cq4 what the first opening has appended, by segments
 * DIR/log/run-000002-00000000000000000731/…cq4 what the second has, from record 731 on
 * DIR/snapshots/                               the state as of some records
 * DIR/snapshots-set-aside/                     those that a repair of the log has given up
 * DIR/readers/                                 who else reads the log
 * DIR/closed                                   where the log ended when it was closed last
 * DIR/member                                   there if the log is the mirror of a cluster's
 * </pre>
 *
 * <p>Every opening starts a new run and alters nothing of those before, so nothing that an earlier
 * process wrote, or left half written, is ever appended to. Opened by an engine it is locked
 * against every other; opened to read it takes no lock and may be used beside a running engine.
 */
public final class LogDirectory implements AutoCloseable {
  /** In a data directory that is being restored, until all of it is in its place. */
  public static final String UNFINISHED_RESTORE = "restore.tmp";

  /** In a directory into which a backup is being made, until all of that is there. */
  public static final String UNFINISHED_BACKUP = "backup.tmp";

  /** The log in a data directory. */
  public static final String LOG = "log";

  private static final Set<String> EXPECTED =
      Set.of(
          LOG,
          "snapshots",
          "snapshots-set-aside",
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

  /** Whether the lock goes with this. */
  private final boolean isLockOwn;

  /** Of the run of this opening; null before it is made. */
  private volatile RunEntries current;

  private LogDirectory(Path directory, DirectoryLock lock, boolean isLockOwn) {
    this.directory = directory;
    this.log = directory.resolve(LOG);
    this.lock = lock;
    this.isLockOwn = isLockOwn;
  }

  /**
   * Creates the directory if it does not exist and takes it for this engine alone.
   *
   * @throws LogException if another engine has it, if it holds something else than a log, or if it
   *     belongs to a member of a cluster
   */
  public static LogDirectory open(Path directory) {
    return open(directory, ProcessHandle.current().pid());
  }

  /**
   * As {@link #open(Path)}, for a process that is not this one.
   *
   * @param processId what others who want the directory are told
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
   * Uses the directory of a member of a cluster, whose the lock is and stays.
   *
   * @param lock of the directory; held for as long as this is used
   * @throws LogException if it cannot be read, or the log has something else in it
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
   * Looks at a directory without taking it, beside a running engine if need be.
   *
   * @throws LogException if there is no log in it, or if it cannot be read
   */
  public static LogDirectory read(Path directory) {
    if (!isDirectory(directory)) {
      throw noLog(
          directory, Files.exists(directory) ? "it is not a directory" : "it does not exist");
    }
    if (!isDirectory(directory.resolve(LOG))) {
      throw noLog(directory, "it holds no directory of that name");
    }
    return new LogDirectory(directory, null, false);
  }

  /** As the method of {@link Files}, which takes what it may not look at for missing. */
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

  /** The data directory itself. */
  public Path directory() {
    return directory;
  }

  /** Bytes that can still be written to the file system of the directory; 0 if it is gone. */
  public long usableBytes() {
    return FreeSpace.usableBytes(directory);
  }

  /**
   * The runs in the order in which they were made, each with its segments in order.
   *
   * @throws LogException if there is anything else among them
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

  /** No engine comes to the highest number, and none could open a run behind it. */
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
        "There is no number left for another run in %s behind that of %s. %s it away from there."
            .formatted(
                log.toAbsolutePath(), run.directory().getFileName(), isFree ? rename : "Move"));
  }

  private static String runName(int number, long firstSequence) {
    return String.format(Locale.ROOT, "run-%06d-%020d", number, firstSequence);
  }

  /** Null if it is gone by now: retention removes runs beside those who look at them. */
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
      throw foreign(entry, "no record has that sequence");
    }
    if (isThere(entry)) {
      throw foreign(entry, "that directory holds runs of the log and nothing else");
    }
    return null;
  }

  /** Also of a link that leads nowhere. */
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
        throw foreign(entry, "that directory holds segments of the log and nothing else");
      }
    }
    segments.sort(Comparator.comparingLong(LogSegment::number));
    return segments;
  }

  /**
   * Number of the run in which a segment lies.
   *
   * @param segment name of a run, a slash and the name of a file
   * @return 0 if it is something else
   */
  public static int runNumber(String segment) {
    int slash = segment.indexOf('/');
    Matcher name = RUN.matcher(segment.substring(0, Math.max(0, slash)));
    return name.matches() ? Integer.parseInt(name.group(1)) : 0;
  }

  /**
   * Creates the directory of a new run, on the disk when this returns.
   *
   * @param firstSequence the sequence that its first record will have
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
   * Removes a run that holds no record, with the files that its queue has made, if it can.
   *
   * @param run what {@link #newRun} has returned
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
      // An empty run is in nobody's way: whoever reads the log passes over it.
    }
  }

  /**
   * Removes a segment that is not needed any more, on the disk when this returns. Any thread.
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
        // No name comes up there any more, so what has failed may be tried again.
        Files.deleteIfExists(segment.file());
        force(run);
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot remove %s: %s".formatted(segment.file(), FileErrors.describe(e)), e);
    }
  }

  /**
   * Forces the names of the segments of the newest run, which this opening has made.
   *
   * @throws IOException if one may not be on the disk
   */
  void forceNames() throws IOException {
    current.force();
  }

  /**
   * Ends a segment behind its last record, if it can: a file is made longer than what will stand in
   * it, and whoever reads the log would look at zeros up to there. Only in a directory that is
   * locked.
   *
   * @param offset where the next record would begin
   */
  public void trim(Path segment, long offset) {
    requireLocked();
    try (FileChannel channel = DataFile.open(segment, StandardOpenOption.WRITE)) {
      channel.truncate(SegmentLayout.endOfFile(offset));
    } catch (IOException e) {
      // Nothing is wrong with it as it is.
    }
  }

  /** Where the log ended when it was closed last; null if nothing says that. */
  public CleanCloseMarker closedMark() {
    return CleanCloseMarker.read(directory);
  }

  /**
   * Leaves a mark of where the log ends, if it can: a log without one is as good, only that records
   * which somebody takes from its end are then not missed.
   *
   * @param run what {@link #newRun} has returned
   * @param sequence the last record, which is on the disk with all before it
   * @param logTag the tag of the log
   */
  public void markClosed(Path run, long sequence, int logTag, Forcer forcer) {
    requireLocked();
    Matcher name = RUN.matcher(run.getFileName().toString());
    if (!name.matches()) {
      throw new IllegalArgumentException(run + " is no run");
    }
    try {
      int number = Integer.parseInt(name.group(1));
      new CleanCloseMarker(sequence, number, logTag).write(directory, forcer);
    } catch (IOException e) {
      // Nothing is wrong with the log.
    }
  }

  /**
   * Removes the mark of where the log ended, before it goes on.
   *
   * @throws IOException if it may still be on the disk
   */
  public void removeClosedMark(Forcer forcer) throws IOException {
    requireLocked();
    CleanCloseMarker.remove(directory, forcer);
  }

  /** Whether this is the one that may change what is in the directory. */
  public boolean isLocked() {
    return lock != null;
  }

  private void requireLocked() {
    if (!isLocked()) {
      throw new IllegalStateException(directory + " was opened to read");
    }
  }

  /** Forces a directory, so that the names in it are on the disk. */
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
   * Of a directory that no log has begun in: an earlier process may have been killed after it had
   * made it, or one above it, and before that name was on the disk. Those above that this user may
   * not read were made by somebody else, and so were those that cannot be forced, such as the root
   * of a file system of another kind.
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

  /** A directory that was never locked must be empty: it may be somebody's home. */
  private static void requireOurs(Path directory) {
    requireFinished(directory);
    ClusterMemberMarker.requireNone(directory);
    if (DirectoryLock.exists(directory)) {
      return;
    }
    for (Path entry : entries(directory)) {
      String name = entry.getFileName().toString();
      if (!EXPECTED.contains(name)) {
        throw foreign(entry, "a log is begun only in a directory that is empty");
      }
    }
  }

  /**
   * What is only a part of a copy would lack the rest without a word.
   *
   * @throws LogException if the directory is one
   */
  public static void requireFinished(Path directory) {
    if (Files.exists(directory.resolve(UNFINISHED_RESTORE))) {
      throw LogException.error(
          "A restore was not finished in %s, which holds %s. Empty that directory and restore again."
              .formatted(directory.toAbsolutePath(), UNFINISHED_RESTORE));
    }
    if (Files.exists(directory.resolve(UNFINISHED_BACKUP))) {
      throw LogException.error(
          ("A backup was not finished in %s, which holds %s: what is there is neither a backup nor a"
                  + " data directory. Remove it, and make the backup again.")
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
