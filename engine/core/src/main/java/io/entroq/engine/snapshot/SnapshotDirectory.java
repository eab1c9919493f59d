package io.entroq.engine.snapshot;

import io.entroq.engine.log.DataFile;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The snapshots of a data directory.
 *
 * <pre>
 * DIR/snapshots/snapshot-00000000000000000731/state, manifest
 * DIR/snapshots/snapshot-00000000000000001462.tmp/…   being written, or being removed
 * </pre>
 *
 * <p>It remembers which snapshots this process has written or read completely, so that it need not
 * read gigabytes again to verify them. A process that writes or removes snapshots must hold the
 * lock on the data directory; others may read at the same time. Any thread.
 */
public final class SnapshotDirectory {
  private static final String SNAPSHOTS = "snapshots";
  private static final String SET_ASIDE = "snapshots-set-aside";
  private static final String UNFINISHED = ".tmp";
  private static final Pattern NAME = Pattern.compile("snapshot-(00\\d{18})(\\.tmp)?");
  private static final Set<String> CONTENT = Set.of(Snapshot.STATE, Snapshot.MANIFEST);

  private final Path data;
  private final Path snapshots;
  private final SnapshotFiles files;
  private final Map<Long, Boolean> isGood = new ConcurrentHashMap<>();

  /**
   * @param dataDirectory the directory of the log; need not contain snapshots yet
   */
  public SnapshotDirectory(Path dataDirectory, Forcer forcer) {
    this(dataDirectory, new SnapshotFiles(forcer));
  }

  SnapshotDirectory(Path dataDirectory, SnapshotFiles files) {
    this.data = dataDirectory;
    this.snapshots = dataDirectory.resolve(SNAPSHOTS);
    this.files = files;
  }

  SnapshotFiles files() {
    return files;
  }

  /**
   * All published snapshots, newest first, damaged ones included.
   *
   * @throws LogException if the directory contains anything else
   */
  public List<Snapshot> newestFirst() {
    List<Snapshot> found = new ArrayList<>();
    for (Path entry : entries(snapshots)) {
      Matcher name = nameOf(entry);
      if (name.group(2) == null) {
        requireNothingElseIn(entry);
        found.add(new Snapshot(Long.parseLong(name.group(1)), entry));
      }
    }
    found.sort(Comparator.comparingLong(Snapshot::sequence).reversed());
    return found;
  }

  /** The snapshot of a state; empty if there is none. */
  public Optional<Snapshot> find(long sequence) {
    Snapshot snapshot = snapshot(sequence);
    return Files.isDirectory(snapshot.directory(), LinkOption.NOFOLLOW_LINKS)
        ? Optional.of(snapshot)
        : Optional.empty();
  }

  /**
   * Publishes a complete snapshot of another directory here too, with the same files where the file
   * system can share them, and with copies elsewhere.
   *
   * @throws LogException if that fails, or if there is a snapshot at that sequence
   */
  public void share(Snapshot complete) {
    try {
      Path unfinished = begin(complete.sequence());
      try {
        files.share(complete.state(), unfinished.resolve(Snapshot.STATE));
        files.share(complete.manifest(), unfinished.resolve(Snapshot.MANIFEST));
        files.forceDirectory(unfinished);
        publish(complete.sequence());
      } catch (IOException | RuntimeException e) {
        discard(unfinished);
        throw e;
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot share %s with %s: %s"
              .formatted(complete.directory(), snapshots, FileErrors.describe(e)),
          e);
    }
  }

  /**
   * Begins to receive a snapshot from elsewhere, or continues where an earlier process was
   * interrupted. Removes other unfinished ones.
   *
   * @param manifest the file
   * @throws SnapshotDamagedException if the manifest is damaged
   * @throws LogException if the disk refuses
   */
  public IncomingSnapshot receive(byte[] manifest) {
    Manifest parsed = Manifest.parse(snapshots.resolve(Snapshot.MANIFEST), manifest);
    Path unfinished = unfinished(parsed.sequence());
    Path file = unfinished.resolve(Snapshot.MANIFEST);
    try {
      if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), manifest)) {
        // Bytes of another image of the same state do not fit.
        removeUnfinished();
        begin(parsed.sequence());
        Files.write(file, manifest);
        files.force(file);
      }
      return new IncomingSnapshot(this, unfinished, parsed);
    } catch (IOException e) {
      throw LogException.error(
          "Cannot receive a snapshot in %s: %s"
              .formatted(snapshots.toAbsolutePath(), FileErrors.describe(e)),
          e);
    }
  }

  /** Returns a reader of a snapshot. Whether it is good is remembered here. */
  public SnapshotReader reader(Snapshot snapshot) {
    // Once bad, always bad: a snapshot with valid bytes may have been distrusted for its content.
    return new SnapshotReader(
        snapshot, good -> isGood.merge(snapshot.sequence(), good, Boolean::logicalAnd));
  }

  /** Marks a snapshot as bad although its checksums match, so that it is never counted as good. */
  public void distrust(Snapshot snapshot) {
    isGood.put(snapshot.sequence(), false);
  }

  /**
   * Forces all published snapshots, damaged ones included, since the process that copied them may
   * have forced nothing.
   *
   * @throws IOException if one may not be on disk
   */
  public void force() throws IOException {
    for (Snapshot snapshot : newestFirst()) {
      for (Path file : entries(snapshot.directory())) {
        files.force(file);
      }
      files.forceDirectory(snapshot.directory());
    }
    if (Files.isDirectory(snapshots)) {
      files.forceDirectory(snapshots);
    }
    files.forceDirectory(data);
  }

  /** Removes what an earlier process was writing or removing when it ended. */
  public void removeUnfinished() {
    try {
      boolean isAny = false;
      for (Path entry : entries(snapshots)) {
        if (nameOf(entry).group(2) != null) {
          removeFiles(entry);
          isAny = true;
        }
      }
      if (isAny) {
        files.forceDirectory(snapshots);
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot remove unfinished snapshots from %s: %s"
              .formatted(snapshots, FileErrors.describe(e)),
          e);
    }
  }

  /**
   * Keeps the newest good snapshots and those that are held, and removes the others. If there are
   * fewer good ones than {@code count}, it removes nothing, not even damaged ones: they may be all
   * that an operator has.
   *
   * <p>A snapshot that this process has neither written nor read is read once.
   *
   * @param count how many to keep, at least 1
   * @param isHeld whether the snapshot at a sequence is in use
   * @return the sequence of the oldest good snapshot that was kept; 0 if there are fewer than
   *     {@code count}
   */
  public long keepNewest(int count, LongPredicate isHeld) {
    if (count < 1) {
      throw new IllegalArgumentException("must keep at least 1 snapshot, not " + count);
    }
    List<Snapshot> superfluous = new ArrayList<>();
    int kept = 0;
    long oldest = 0;
    for (Snapshot snapshot : newestFirst()) {
      if (kept < count && isGood(snapshot)) {
        kept++;
        oldest = snapshot.sequence();
      } else if (!isHeld.test(snapshot.sequence())) {
        superfluous.add(snapshot);
      }
    }
    if (kept < count) {
      return 0;
    }
    removeAll(superfluous);
    return oldest;
  }

  /** Removes all snapshots except those whose sequence is wanted. */
  public void keepOnly(LongPredicate isWanted) {
    List<Snapshot> unwanted =
        newestFirst().stream().filter(each -> !isWanted.test(each.sequence())).toList();
    if (!unwanted.isEmpty()) {
      removeAll(unwanted);
    }
  }

  /**
   * Moves a snapshot to a directory that engines do not read. The move is on disk when this
   * returns.
   *
   * @return its new path
   */
  public Path setAside(Snapshot snapshot) {
    Path place = setAsidePlace(data);
    try {
      if (!Files.isDirectory(place)) {
        files.createDirectory(place);
        files.forceDirectory(data);
      }
      Path target = unused(place.resolve(snapshot.directory().getFileName()));
      files.rename(snapshot.directory(), target);
      isGood.remove(snapshot.sequence());
      files.forceDirectory(place);
      files.forceDirectory(snapshots);
      return target;
    } catch (IOException e) {
      throw LogException.error(
          "Cannot move %s to %s: %s".formatted(snapshot.directory(), place, FileErrors.describe(e)),
          e);
    }
  }

  /** Where {@link #setAside} moves the snapshots of a data directory. */
  public static Path setAsidePlace(Path dataDirectory) {
    return dataDirectory.resolve(SET_ASIDE);
  }

  /** The path itself if it is free, else with the first free number appended. */
  private static Path unused(Path path) {
    Path free = path;
    for (int number = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); number++) {
      free = path.resolveSibling(path.getFileName() + "." + number);
    }
    return free;
  }

  private boolean isGood(Snapshot snapshot) {
    Boolean known = isGood.get(snapshot.sequence());
    if (known != null) {
      return known;
    }
    try {
      reader(snapshot).verify();
      return true;
    } catch (SnapshotDamagedException e) {
      return false;
    }
  }

  private void removeAll(List<Snapshot> superfluous) {
    try {
      // An earlier process may have been killed before it forced the names of those that remain.
      files.forceDirectory(snapshots);
      for (Snapshot snapshot : superfluous) {
        remove(snapshot);
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot remove an old snapshot from %s: %s".formatted(snapshots, FileErrors.describe(e)),
          e);
    }
  }

  /** Renames it first, so that half a snapshot never looks like a complete one. */
  private void remove(Snapshot snapshot) throws IOException {
    Path unfinished = unfinished(snapshot.sequence());
    discard(unfinished);
    files.rename(snapshot.directory(), unfinished);
    isGood.remove(snapshot.sequence());
    files.forceDirectory(snapshots);
    removeFiles(unfinished);
  }

  /**
   * Creates the directory into which a snapshot is written.
   *
   * @throws LogException if there is a snapshot at that sequence that may be good
   */
  Path begin(long sequence) throws IOException {
    Snapshot snapshot = snapshot(sequence);
    if (Files.exists(snapshot.directory()) && !Boolean.FALSE.equals(isGood.get(sequence))) {
      throw LogException.error(
          "There is already a snapshot at record %d: %s. Use that one."
              .formatted(sequence, snapshot.directory()));
    }
    if (!Files.isDirectory(snapshots)) {
      files.createDirectory(snapshots);
    }
    // Each time: an earlier process may have been killed just after it created the directory.
    files.forceDirectory(data);
    Path unfinished = unfinished(sequence);
    discard(unfinished);
    files.createDirectory(unfinished);
    return unfinished;
  }

  /** Gives a complete snapshot its final name. Undoes that if the name cannot be forced. */
  void publish(long sequence) throws IOException {
    Snapshot snapshot = snapshot(sequence);
    Path unfinished = unfinished(sequence);
    if (Files.exists(snapshot.directory())) {
      removeFiles(snapshot.directory());
    }
    files.rename(unfinished, snapshot.directory());
    try {
      files.forceDirectory(snapshots);
    } catch (IOException | RuntimeException e) {
      // A second force proves nothing after one has failed: the log must not be cut for this one.
      distrust(snapshot);
      files.rename(snapshot.directory(), unfinished);
      throw e;
    }
    isGood.put(sequence, true);
  }

  /** Removes a directory that never became a snapshot, if it is there. */
  void discard(Path unfinished) throws IOException {
    if (Files.exists(unfinished, LinkOption.NOFOLLOW_LINKS)) {
      removeFiles(unfinished);
    }
  }

  private void removeFiles(Path directory) throws IOException {
    requireNothingElseIn(directory);
    for (Path file : entries(directory)) {
      files.delete(file);
    }
    files.delete(directory);
  }

  private Snapshot snapshot(long sequence) {
    return new Snapshot(sequence, snapshots.resolve(name(sequence)));
  }

  private Path unfinished(long sequence) {
    return snapshots.resolve(name(sequence) + UNFINISHED);
  }

  private static String name(long sequence) {
    return String.format(Locale.ROOT, "snapshot-%020d", sequence);
  }

  private static Matcher nameOf(Path entry) {
    Matcher name = NAME.matcher(entry.getFileName().toString());
    if (!name.matches() || isOther(entry)) {
      throw foreign(entry, "that directory holds snapshots and nothing else");
    }
    return name;
  }

  /** One system call, since an unfinished snapshot may be renamed to its final name meanwhile. */
  private static boolean isOther(Path entry) {
    try {
      return !Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isDirectory();
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw LogException.error(
          "Cannot read the attributes of %s: %s"
              .formatted(entry.toAbsolutePath(), FileErrors.describe(e)),
          e);
    }
  }

  private static void requireNothingElseIn(Path snapshot) {
    for (Path file : entries(snapshot)) {
      if (!CONTENT.contains(file.getFileName().toString())) {
        throw foreign(file, "that directory holds the files of a snapshot and nothing else");
      }
    }
  }

  /** The entries of a directory; none if the engine has just removed it. */
  private static List<Path> entries(Path directory) {
    try {
      return DataFile.entries(directory);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw LogException.error(
          "Cannot list %s: %s".formatted(directory.toAbsolutePath(), FileErrors.describe(e)), e);
    }
  }

  private static LogException foreign(Path entry, String why) {
    return LogException.error(
        "%s does not belong there: %s. Move it away from %s."
            .formatted(entry.getFileName(), why, entry.toAbsolutePath().getParent()));
  }
}
