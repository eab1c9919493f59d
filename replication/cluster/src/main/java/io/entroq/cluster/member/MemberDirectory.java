package io.entroq.cluster.member;

import io.aeron.archive.ArchiveMarkFile;
import io.aeron.cluster.service.ClusterMarkFile;
import io.entroq.cluster.retention.Beginning;
import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.engine.Closing;
import io.entroq.engine.Trees;
import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.LogDirectory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The directory of a member, taken by this process: {@code member} says whose it is, {@code
 * cluster} has votes and the list of terms, {@code archive} the log and snapshots.
 */
final class MemberDirectory implements AutoCloseable {
  private static final String CLUSTER = "cluster";
  private static final String ARCHIVE = "archive";

  /** Files of a media driver, where there is no room in memory. */
  private static final String DRIVER = "driver";

  /** Is there while a member that was lost is being copied from another one. */
  private static final String REPLACING = "replacing";

  /** What may be in a directory that is empty. */
  private static final Set<String> PASSED_OVER = Set.of(REPLACING, "lock", "lost+found");

  /** What the directory of an engine has. */
  private static final String ENGINE_LOG = "log";

  private final Path directory;
  private final DirectoryLock lock;

  /** Applying thread, once the member runs. */
  private MemberFile member;

  private MemberDirectory(Path directory, DirectoryLock lock, MemberFile member) {
    this.directory = directory;
    this.lock = lock;
    this.member = member;
  }

  /**
   * Takes a directory.
   *
   * @throws io.entroq.engine.log.LogException if another process has it
   * @throws MemberException if it is empty and may not be, or another member's
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
        return new MemberDirectory(directory, lock, member).ready();
      } catch (Throwable t) {
        Closing.after(t, lock);
        throw t;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("opening the directory of a member, " + directory, e);
    }
  }

  private MemberDirectory ready() {
    new RecordingLogFile(cluster()).compact();
    if (!Beginning.isServing(cluster(), archive())) {
      throw new MemberException(
          ("%s has no snapshot that may be used, and no longer the log from its beginning on. Replace"
                  + " the member from a healthy one")
              .formatted(directory.toAbsolutePath()));
    }
    return this;
  }

  private static MemberFile identify(MemberConfig config) throws IOException {
    Path directory = config.directory();
    if (Files.exists(directory.resolve(REPLACING))) {
      throw new MemberException(
          ("%s is not complete: the replacement of a member was begun in it and has not ended. Replace"
                  + " it again, which begins anew")
              .formatted(directory.toAbsolutePath()));
    }
    if (ClusterMemberMarker.isDetached(directory)) {
      throw new MemberException(
          ("%s was detached from its cluster (%s says so): it is an engine's now, whose log may say"
                  + " what the cluster has never agreed to. Replace the member from a healthy one, in"
                  + " another directory")
              .formatted(directory.toAbsolutePath(), ClusterMemberMarker.DETACHED));
    }
    if (MemberFile.isIn(directory)) {
      MemberFile found = MemberFile.read(directory);
      if (found.memberId() != config.memberId() || found.members() != config.members().size()) {
        throw new MemberException(
            "%s is the directory of member %d of %d, not of member %d of %d"
                .formatted(
                    directory.toAbsolutePath(),
                    found.memberId(),
                    found.members(),
                    config.memberId(),
                    config.members().size()));
      }
      return found;
    }
    if (Files.exists(directory.resolve(ENGINE_LOG))) {
      throw new MemberException(
          ("%s is the directory of an engine of its own, as `serve` and programs have it, not a"
                  + " member's. A member begins with an empty one")
              .formatted(directory.toAbsolutePath()));
    }
    if (!config.isBootstrap()) {
      throw empty(directory);
    }
    if (Files.exists(directory.resolve(CLUSTER)) || Files.exists(directory.resolve(ARCHIVE))) {
      throw new MemberException(
          ("%s holds a member's log, but not the file %s that says whose it is. Restore the file, or"
                  + " replace the member")
              .formatted(directory.toAbsolutePath(), MemberFile.NAME));
    }
    MemberFile made = new MemberFile(config.memberId(), config.members().size(), 0, 0);
    made.write(directory);
    return made;
  }

  /**
   * Takes a directory in which a member that was lost is to be again. It is not to be started from
   * before {@link #complete}.
   *
   * @param clusterIdHigh upper half of the id of the cluster
   * @param clusterIdLow lower half
   * @throws io.entroq.engine.log.LogException if another process has it
   * @throws MemberException if anything is in it, but for what was begun here before
   */
  static MemberDirectory replace(MemberConfig config, long clusterIdHigh, long clusterIdLow)
      throws IOException {
    Path directory = config.directory();
    Files.createDirectories(directory);
    DirectoryLock lock = DirectoryLock.acquire(directory, ProcessHandle.current().pid());
    try {
      Path mark = directory.resolve(REPLACING);
      if (Files.exists(mark)) {
        clear(directory);
      }
      requireFree(directory);
      if (!Files.exists(mark)) {
        Files.createFile(mark);
      }
      LogDirectory.force(directory);
      return new MemberDirectory(
          directory,
          lock,
          new MemberFile(config.memberId(), config.members().size(), clusterIdHigh, clusterIdLow));
    } catch (Throwable t) {
      Closing.after(t, lock);
      throw t;
    }
  }

  private static void requireFree(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      Optional<Path> first =
          entries.filter(entry -> !PASSED_OVER.contains(entry.getFileName().toString())).findAny();
      if (first.isPresent()) {
        throw new MemberException(
            "%s holds %s. A member is replaced in an empty directory: move that away"
                .formatted(directory.toAbsolutePath(), first.get().getFileName()));
      }
    }
  }

  /** Removes what was begun and not completed. */
  private static void clear(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(MemberFile.NAME));
    for (String part : List.of(CLUSTER, ARCHIVE, DRIVER)) {
      Trees.delete(directory.resolve(part));
    }
  }

  /** Has all of it on the disk, and lets a member start from it. */
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
        ("There is no member in %s. If the cluster starts for the first time, say so (--bootstrap). If"
                + " this member has been there before and its disk is lost, do not: it would vote as"
                + " if it had never promised anything. Replace it from a healthy member"
                + " (replace-member)")
            .formatted(directory.toAbsolutePath()));
  }

  /** With the lock held, whoever has left them is gone, however short a while ago. */
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

  /** The right to the directory, which goes with this. */
  DirectoryLock lock() {
    return lock;
  }

  File cluster() {
    return directory.resolve(CLUSTER).toFile();
  }

  File archive() {
    return directory.resolve(ARCHIVE).toFile();
  }

  /**
   * Takes down the id of the cluster, once it is known. Applying thread.
   *
   * @throws MemberException if the directory is that of another cluster
   */
  void noteClusterId(long high, long low) {
    if (!member.hasClusterId()) {
      member = member.withClusterId(high, low);
      try {
        member.write(directory);
      } catch (IOException e) {
        throw new UncheckedIOException("writing the id of the cluster to " + directory, e);
      }
    } else if (member.clusterIdHigh() != high || member.clusterIdLow() != low) {
      throw new MemberException(
          "%s belongs to cluster %s, and the members that it has found are those of cluster %016x%016x"
              .formatted(directory.toAbsolutePath(), member.clusterId(), high, low));
    }
  }

  @Override
  public void close() {
    lock.close();
  }
}
