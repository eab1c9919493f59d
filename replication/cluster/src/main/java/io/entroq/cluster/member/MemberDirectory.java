package io.entroq.cluster.member;

import io.aeron.archive.ArchiveMarkFile;
import io.aeron.cluster.service.ClusterMarkFile;
import io.entroq.cluster.retention.Beginning;
import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.engine.Closing;
import io.entroq.engine.log.DirectoryLock;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of a member, taken by this process: {@code member} says whose it is, {@code
 * cluster} has votes and the list of terms, {@code archive} the log and snapshots.
 */
final class MemberDirectory implements AutoCloseable {
  private static final String CLUSTER = "cluster";
  private static final String ARCHIVE = "archive";

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
    if (!Beginning.isThere(cluster(), archive())) {
      throw new MemberException(
          ("%s has no snapshot that may be used, and no longer the log from its beginning on. Replace"
                  + " the member from a healthy one")
              .formatted(directory.toAbsolutePath()));
    }
    return this;
  }

  private static MemberFile identify(MemberConfig config) throws IOException {
    Path directory = config.directory();
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

  private static MemberException empty(Path directory) {
    return new MemberException(
        ("There is no member in %s. If the cluster starts for the first time, say so (--bootstrap). If"
                + " this member has been there before and its disk is lost, do not: it would vote as"
                + " if it had never promised anything. Replace it from a healthy member")
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
