package io.entroq.system.scenario;

import io.entroq.system.member.Cluster;
import io.entroq.system.member.ExitHook;
import io.entroq.system.member.ShellCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A file system for a member that can be filled. Needs root. */
final class SmallDisk implements AutoCloseable {
  private static final String ROOMY = "2g";
  private static final Duration FULL = Duration.ofSeconds(10);
  private static final int LEFT_KB_MAX = 256 << 10;

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
        "mount", "-t", "tmpfs", "-o", "size=" + ROOMY, "tmpfs", directory.toString())) {
      throw new IOException("cannot mount " + directory);
    }
    return new SmallDisk(directory);
  }

  /** Fills the disk for a while; the member continues, or ends and is restarted. */
  void fill(FaultContext context, int id) throws Exception {
    Cluster cluster = context.cluster();
    cluster.mayEnd(id);
    fill();
    context.work(FULL);
    boolean isRunning = cluster.isAlive(id);
    free();
    boolean goesOn = cluster.awaitEndOrProgress(id);
    context.note(
        "member %d with a full disk %s, and then %s"
            .formatted(id, isRunning ? "runs" : "ended", goesOn ? "goes on" : "is started again"));
    context.settle();
  }

  /**
   * Fills the disk until it is freed; the member may end.
   *
   * @return what is used, in KiB
   */
  long fill() throws IOException {
    // The next one is tried if the member has written more than that meanwhile.
    for (int leftKb = 32; leftKb <= LEFT_KB_MAX; leftKb *= 2) {
      FileStore store = Files.getFileStore(directory);
      long usedKb = (store.getTotalSpace() - store.getUsableSpace()) / 1_024;
      if (resize((usedKb + leftKb) + "k")) {
        return usedKb;
      }
    }
    throw new IOException("cannot fill " + directory);
  }

  void free() throws IOException {
    if (!resize(ROOMY)) {
      throw new IOException("cannot free " + directory);
    }
  }

  private boolean resize(String size) throws IOException {
    return ShellCommand.succeeds("mount", "-o", "remount,size=" + size, directory.toString());
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
