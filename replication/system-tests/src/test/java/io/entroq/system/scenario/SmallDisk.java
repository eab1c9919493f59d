package io.entroq.system.scenario;

import io.entroq.system.member.Cluster;
import io.entroq.system.member.ExitHook;
import io.entroq.system.member.ShellCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A file system for a member that can be filled. Needs root. */
final class SmallDisk implements AutoCloseable {
  private static final String ROOMY = "size=2g";
  private static final Duration FULL = Duration.ofSeconds(10);
  private static final int FILL_BYTES = 1 << 16;

  private final Path directory;
  private final ExitHook removal = ExitHook.run(this::unmount);

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Whether this machine permits mounts. */
  static boolean isAllowed(Path directory) throws IOException {
    Path probe = Files.createDirectories(directory.resolve("probe"));
    boolean isMounted =
        ShellCommand.succeeds("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", probe.toString());
    if (isMounted) {
      ShellCommand.succeeds("umount", probe.toString());
    }
    Files.delete(probe);
    return isMounted;
  }

  /** Mounts it before the member starts. */
  static SmallDisk mount(Path directory) throws IOException {
    Files.createDirectories(directory);
    if (!ShellCommand.succeeds(
        "mount", "-t", "tmpfs", "-o", ROOMY, "tmpfs", directory.toString())) {
      throw new IOException("cannot mount " + directory);
    }
    return new SmallDisk(directory);
  }

  /** Fills the disk for a while; the member continues, or ends and is restarted. */
  void fill(FaultContext context, int id) throws Exception {
    Cluster cluster = context.cluster();
    fill(cluster, id);
    context.work(FULL);
    boolean isRunning = cluster.isAlive(id);
    free();
    boolean goesOn = cluster.awaitEndOrProgress(id);
    context.note(
        "member %d with a full disk %s, and then %s"
            .formatted(id, isRunning ? "runs" : "ended", goesOn ? "goes on" : "is started again"));
    context.settle();
  }

  /** Fills the disk until it is freed. The member may end. */
  void fill(Cluster cluster, int id) throws IOException {
    cluster.mayEnd(id);
    long usedKb =
        Files.getFileStore(directory).getTotalSpace() / 1_024
            - Files.getFileStore(directory).getUsableSpace() / 1_024;
    ShellCommand.succeeds(
        "mount", "-o", "remount,size=" + (usedKb + FILL_BYTES / 1_024) + "k", directory.toString());
    Files.write(ballast(), new byte[FILL_BYTES / 2]);
  }

  void free() throws IOException {
    ShellCommand.succeeds("mount", "-o", "remount," + ROOMY, directory.toString());
    Files.delete(ballast());
  }

  private Path ballast() {
    return directory.resolve("ballast");
  }

  private void unmount() {
    try {
      ShellCommand.succeeds("umount", "-l", directory.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    removal.close();
  }
}
