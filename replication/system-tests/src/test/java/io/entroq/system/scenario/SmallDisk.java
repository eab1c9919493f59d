package io.entroq.system.scenario;

import io.entroq.system.member.AtExit;
import io.entroq.system.member.Cluster;
import io.entroq.system.member.Commands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A member's directory on a file system of its own, which is full for a while. Needs root. */
final class SmallDisk implements AutoCloseable {
  private static final String ROOMY = "size=2g";
  private static final Duration FULL = Duration.ofSeconds(10);
  private static final int FILL_BYTES = 1 << 16;

  private final Path directory;
  private final AtExit removal = AtExit.run(this::unmount);

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Whether this machine lets us. */
  static boolean isAllowed(Path directory) throws IOException {
    Path probe = Files.createDirectories(directory.resolve("probe"));
    boolean isMounted =
        Commands.succeeds("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", probe.toString());
    if (isMounted) {
      Commands.succeeds("umount", probe.toString());
    }
    Files.delete(probe);
    return isMounted;
  }

  /** Mounts one; before the member starts. */
  static SmallDisk mount(Path directory) throws IOException {
    Files.createDirectories(directory);
    if (!Commands.succeeds("mount", "-t", "tmpfs", "-o", ROOMY, "tmpfs", directory.toString())) {
      throw new IOException("cannot mount " + directory);
    }
    return new SmallDisk(directory);
  }

  /** Nothing can be written for a while; the member goes on, or ends and is started again. */
  void fill(Stage stage, int id) throws Exception {
    Cluster cluster = stage.cluster();
    Path ballast = directory.resolve("ballast");
    cluster.mayEnd(id);
    long usedKb =
        Files.getFileStore(directory).getTotalSpace() / 1_024
            - Files.getFileStore(directory).getUsableSpace() / 1_024;
    Commands.succeeds(
        "mount", "-o", "remount,size=" + (usedKb + FILL_BYTES / 1_024) + "k", directory.toString());
    Files.write(ballast, new byte[FILL_BYTES / 2]);
    stage.work(FULL);
    boolean isRunning = cluster.isAlive(id);
    Commands.succeeds("mount", "-o", "remount," + ROOMY, directory.toString());
    Files.delete(ballast);
    boolean goesOn = cluster.awaitEndOrProgress(id);
    stage.note(
        "member %d with a full disk %s, and then %s"
            .formatted(id, isRunning ? "runs" : "ended", goesOn ? "goes on" : "is started again"));
    stage.settle();
  }

  private void unmount() {
    try {
      Commands.succeeds("umount", "-l", directory.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    removal.close();
  }
}
