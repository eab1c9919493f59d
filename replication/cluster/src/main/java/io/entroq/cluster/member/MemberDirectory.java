package io.entroq.cluster.member;

import io.aeron.archive.ArchiveMarkFile;
import io.aeron.cluster.service.ClusterMarkFile;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.engine.Closing;
import io.entroq.engine.Trees;
import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The directory of a member, locked by this process: {@code member} identifies it, {@code cluster}
 * has votes and the list of terms, {@code archive} the log and snapshots, {@code images} the states
 * that snapshots refer to.
 */
final class MemberDirectory implements AutoCloseable {
  private static final String CLUSTER = "cluster";
  private static final String ARCHIVE = "archive";

  /** Files of the media driver, if they do not fit in memory. */
  private static final String DRIVER = "driver";

  /** Present while a lost member is being copied. */
  private static final String REPLACING = "replacing";

  /** Files that an empty directory may contain. */
  private static final Set<String> IGNORED = Set.of(REPLACING, "lock", "lost+found");

  /** Files that an unfinished replacement may leave. */
  private static final Set<String> RECEIVED =
      Set.of(REPLACING, "lock", "lost+found", ImageStore.NAME);

  /** Present in an engine's directory. */
  private static final String ENGINE_LOG = "log";

  private static final Logger LOGGER = System.getLogger(MemberDirectory.class.getName());

  private final Path directory;
  private final DirectoryLock lock;
  private final ImageStore images;

  /** Written by the applying thread once the member runs. */
  private volatile MemberFile member;

  private MemberDirectory(
      Path directory, DirectoryLock lock, ImageStore images, MemberFile member) {
    this.directory = directory;
    this.lock = lock;
    this.images = images;
    this.member = member;
  }

  /**
   * Opens and locks a member's directory.
   *
   * @throws io.entroq.engine.log.LogException if another process holds it
   * @throws MemberException if it is empty and may not be, or belongs to another member
   */
  static MemberDirectory open(MemberConfig config) {
    Path directory = config.directory();
    try {
      if (config.isBootstrap()) {
        Files.createDirectories(directory);
      } else if (!Files.isDirectory(directory)) {
        throw empty(directory);
      }
      DirectoryLock lock = DirectoryLock.acquire(directory, ProcessHandle.current().pid());
      try {
        MemberFile member = identify(config);
        removeStaleMarks(directory);
        ImageStore images =
            ImageStore.open(directory, config.imageForcer(), config.imageIndexForcer());
        return new MemberDirectory(directory, lock, images, member).requireRecoverable();
      } catch (Throwable t) {
        Closing.after(t, lock);
        throw t;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("opening the member directory " + directory, e);
    }
  }

  /** Its path, for messages. */
  @Override
  public String toString() {
    return directory.toAbsolutePath().toString();
  }

  private MemberDirectory requireRecoverable() {
    RecordingLogFile recordingLog = new RecordingLogFile(cluster());
    recordingLog.compact();
    List<Long> incomplete = recordingLog.setIncompleteAside(images);
    if (!incomplete.isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "The images of the snapshots at {0} in {1} were not complete when the member ended. It"
              + " begins with an older snapshot",
          incomplete,
          directory.toAbsolutePath());
    }
    if (!recordingLog.isRecoverable(archive())) {
      throw new MemberException(
          ("%s has no usable snapshot, and no longer the log from its start. Replace the member from"
                  + " a healthy one")
              .formatted(directory.toAbsolutePath()));
    }
    return this;
  }

  /**
   * Opens and locks the directory of a member that has stopped, to change the file that identifies
   * it.
   *
   * @throws io.entroq.engine.log.LogException if another process holds it
   * @throws MemberException if it is not that of a member, or incomplete
   */
  static MemberDirectory openStopped(MemberConfig config) throws IOException {
    Path directory = config.directory();
    if (!MemberFile.isIn(directory)) {
      throw new MemberException(
          "%s is not the directory of a member".formatted(directory.toAbsolutePath()));
    }
    DirectoryLock lock = DirectoryLock.acquire(directory, ProcessHandle.current().pid());
    try {
      requireUsable(directory);
      return new MemberDirectory(
          directory, lock, ImageStore.read(directory, Forcer.DISK), MemberFile.read(directory));
    } catch (Throwable t) {
      Closing.after(t, lock);
      throw t;
    }
  }

  MemberFile file() {
    return member;
  }

  /** Replaces the file that identifies the directory. */
  void replaceFile(MemberFile next) throws IOException {
    next.write(directory);
    member = next;
  }

  private static void requireUsable(Path directory) {
    if (Files.exists(directory.resolve(REPLACING))) {
      throw new MemberException(
          ("%s is incomplete: the replacement of a member was started in it and did not finish. Run"
                  + " the replacement again; it starts over")
              .formatted(directory.toAbsolutePath()));
    }
    if (ClusterMemberMarker.isDetached(directory)) {
      throw new MemberException(
          ("%s was detached from its cluster (see the file %s) and belongs to an engine now, whose log"
                  + " may differ from the cluster's. Replace the member from a healthy one, in"
                  + " another directory")
              .formatted(directory.toAbsolutePath(), ClusterMemberMarker.DETACHED));
    }
  }

  private static MemberFile identify(MemberConfig config) throws IOException {
    Path directory = config.directory();
    requireUsable(directory);
    if (MemberFile.isIn(directory)) {
      MemberFile found = MemberFile.read(directory);
      if (!found.isOf(config)) {
        throw new MemberException(
            "%s is the directory of member %d of %d, not of member %d of %d%s"
                .formatted(
                    directory.toAbsolutePath(),
                    found.memberId(),
                    found.members(),
                    config.memberId(),
                    config.members().size(),
                    found.members() == config.members().size()
                        ? ""
                        : ". To change the members, see `entroq set-members`"));
      }
      if (found.isClosed()) {
        throw new MemberException(
            ("%s: the cluster was stopped to change its members. Run `entroq set-members` on the"
                    + " directories of all members first; with --reopen the same members go on")
                .formatted(directory.toAbsolutePath()));
      }
      return found;
    }
    if (Files.exists(directory.resolve(ENGINE_LOG))) {
      throw new MemberException(
          ("%s is the directory of an engine, as used by `serve` and embedding programs, not of a"
                  + " member. A new member needs an empty directory")
              .formatted(directory.toAbsolutePath()));
    }
    if (!config.isBootstrap()) {
      throw empty(directory);
    }
    if (Files.exists(directory.resolve(CLUSTER)) || Files.exists(directory.resolve(ARCHIVE))) {
      throw new MemberException(
          ("%s has a member's log, but not the file %s that identifies the member. Restore the file,"
                  + " or replace the member")
              .formatted(directory.toAbsolutePath(), MemberFile.NAME));
    }
    MemberFile created =
        new MemberFile(config.memberId(), config.members().size(), 0, 0, 0, 0, false, 0);
    created.write(directory);
    return created;
  }

  /**
   * Creates and locks the directory of a replaced member. No member starts from it before {@link
   * #complete}.
   *
   * @throws io.entroq.engine.log.LogException if another process holds it
   * @throws MemberException if it has files other than those of an unfinished replacement
   */
  static MemberDirectory replace(MemberConfig config, MemberReplacement.Source source)
      throws IOException {
    Path directory = config.directory();
    Files.createDirectories(directory);
    DirectoryLock lock = DirectoryLock.acquire(directory, ProcessHandle.current().pid());
    try {
      Path mark = directory.resolve(REPLACING);
      if (Files.exists(mark)) {
        clear(directory);
        requireEmpty(directory, RECEIVED);
      } else {
        requireEmpty(directory, IGNORED);
        Files.createFile(mark);
      }
      LogDirectory.force(directory);
      return new MemberDirectory(
          directory,
          lock,
          ImageStore.read(directory, Forcer.DISK),
          new MemberFile(
              config.memberId(),
              config.members().size(),
              source.idHigh(),
              source.idLow(),
              source.membersSince(),
              0,
              false,
              source.term()));
    } catch (Throwable t) {
      Closing.after(t, lock);
      throw t;
    }
  }

  private static void requireEmpty(Path directory, Set<String> ignored) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      Optional<Path> first =
          entries.filter(entry -> !ignored.contains(entry.getFileName().toString())).findAny();
      if (first.isPresent()) {
        throw new MemberException(
            "%s is not empty, it has %s. Move its content away before you replace the member"
                .formatted(directory.toAbsolutePath(), first.get().getFileName()));
      }
    }
  }

  /** Removes an unfinished copy, but not the images that have been received. */
  private static void clear(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(MemberFile.NAME));
    ImageStore.forget(directory);
    for (String part : List.of(CLUSTER, ARCHIVE, DRIVER)) {
      Trees.delete(directory.resolve(part));
    }
  }

  /** Forces everything to disk and allows a member to start from the directory. */
  void complete() throws IOException {
    removeStaleMarks(directory);
    for (String part : List.of(CLUSTER, ARCHIVE)) {
      force(directory.resolve(part));
    }
    member.write(directory);
    Files.delete(directory.resolve(REPLACING));
    LogDirectory.force(directory);
  }

  private static void force(Path part) throws IOException {
    try (Stream<Path> files = Files.list(part)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
    LogDirectory.force(part);
  }

  private static MemberException empty(Path directory) {
    return new MemberException(
        ("There is no member in %s. If the cluster starts for the first time, add --bootstrap. If this"
                + " member existed before and its disk is lost, do not: it could vote against what it"
                + " has acknowledged. Replace it from a healthy member (replace-member)")
            .formatted(directory.toAbsolutePath()));
  }

  /** While this process holds the lock, no other one can still use them. */
  private static void removeStaleMarks(Path directory) throws IOException {
    for (String part : List.of(CLUSTER, ARCHIVE)) {
      Path inside = directory.resolve(part);
      if (Files.isDirectory(inside)) {
        try (Stream<Path> files = Files.list(inside)) {
          for (Path file : files.filter(MemberDirectory::isMark).toList()) {
            Files.delete(file);
          }
        }
      }
    }
  }

  private static boolean isMark(Path file) {
    String name = file.getFileName().toString();
    return ArchiveMarkFile.FILENAME.equals(name)
        || ClusterMarkFile.FILENAME.equals(name)
        || name.startsWith(ClusterMarkFile.SERVICE_FILENAME_PREFIX);
  }

  /** Released when this is closed. */
  DirectoryLock lock() {
    return lock;
  }

  ImageStore images() {
    return images;
  }

  File cluster() {
    return directory.resolve(CLUSTER).toFile();
  }

  File archive() {
    return directory.resolve(ARCHIVE).toFile();
  }

  /** See {@link MemberFile#streamOffset}. */
  int streamOffset() {
    return member.streamOffset();
  }

  /** Where in the log the members were last changed; 0: never. */
  long membersSince() {
    return member.membersSince();
  }

  /**
   * Notes that no member may start from here before the members are changed. Applying thread.
   *
   * @param request its position in the log
   * @param termId the term in which it was made
   * @return false if the request is one that this member has got over
   */
  boolean noteClosed(long request, long termId) {
    if (member.isClosed()) {
      // The leader repeats a request that may be lost.
      return true;
    }
    if (!member.isNewRequest(request, termId)) {
      return false;
    }
    try {
      replaceFile(member.closed(request));
    } catch (IOException e) {
      throw new UncheckedIOException("closing the member directory " + directory, e);
    }
    return true;
  }

  /**
   * Stores the id of the cluster when it becomes known. Applying thread.
   *
   * @throws MemberException if the directory belongs to another cluster
   */
  void noteClusterId(long high, long low) {
    if (!member.hasClusterId()) {
      try {
        replaceFile(member.withClusterId(high, low));
      } catch (IOException e) {
        throw new UncheckedIOException("writing the id of the cluster to " + directory, e);
      }
    } else if (member.clusterIdHigh() != high || member.clusterIdLow() != low) {
      throw new MemberException(
          "%s belongs to cluster %s, but the other members belong to cluster %016x%016x"
              .formatted(directory.toAbsolutePath(), member.clusterId(), high, low));
    }
  }

  @Override
  public void close() {
    lock.close();
  }
}
