package io.entroq.engine.embedded;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small file system of a test's own, where the system lets it have one. */
final class Mount implements AutoCloseable {
  private final Path at;

  private Mount(Path at) {
    this.at = at;
  }

  /** One in memory; the test is left out where that is not permitted. */
  static Mount tmpfs(Path at, String options) throws IOException {
    return mount(at, "-t", "tmpfs", "-o", options, "tmpfs");
  }

  /** One in a file, of the kind that most disks have. */
  static Mount ext4(Path at, Path image, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
    }
    assumeTrue(run("mkfs.ext4", "-q", image.toString()), "no ext4 here");
    return mount(at, "-t", "ext4", "-o", "loop,errors=remount-ro", image.toString());
  }

  private static Mount mount(Path at, String... words) throws IOException {
    Files.createDirectories(at);
    List<String> command = new ArrayList<>(List.of("mount"));
    command.addAll(List.of(words));
    command.add(at.toString());
    assumeTrue(run(command.toArray(String[]::new)), "may not mount");
    return new Mount(at);
  }

  Path path() {
    return at;
  }

  /** Waits while files are open for writing: Chronicle Queue unmaps them after they are closed. */
  void remount(String options) {
    Await.until(
        at + " is mounted " + options,
        () -> run("mount", "-o", "remount," + options, at.toString()));
  }

  /** As after an error of the device, which asks nobody whether files are open; of an ext4. */
  void turnReadOnly() throws IOException {
    Path device = Path.of(Files.getFileStore(at).name()).getFileName();
    Path trigger = Path.of("/sys/fs/ext4", device.toString(), "trigger_fs_error");
    assumeTrue(Files.isWritable(trigger), "no errors to be had");
    Files.writeString(trigger, "test");
  }

  /** Also while it is in use. */
  @Override
  public void close() {
    run("umount", "-l", at.toString());
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start()
              .onExit()
              .join()
              .exitValue()
          == 0;
    } catch (IOException e) {
      // There is no such command.
      return false;
    }
  }
}
