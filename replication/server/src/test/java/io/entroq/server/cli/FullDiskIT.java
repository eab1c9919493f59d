package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that only read, on a file system that takes no more bytes or no writes at all. */
class FullDiskIT {
  @TempDir private Path temporary;

  private Path disk;
  private Path data;

  @BeforeEach
  void mount() throws IOException {
    disk = Files.createDirectory(temporary.resolve("disk"));
    String[] command = {"mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", disk.toString()};
    assumeTrue(run(command), "may not mount");
    data = disk.resolve("data");
    Cli.on(data, "ins", "-q", "inbox", "-v", "1").assertGoodWith("created the data directory");
  }

  @AfterEach
  void unmount() {
    assertThat(run("umount", "-l", disk.toString())).isTrue();
  }

  @Test
  void shouldReadOnFullDisk() throws IOException {
    try (OutputStream filler = Files.newOutputStream(disk.resolve("filler"))) {
      byte[] block = new byte[1 << 20];
      assertThatThrownBy(
              () -> {
                while (true) {
                  filler.write(block);
                }
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(disk.toFile().getUsableSpace()).isZero();
    assertReads();
    Cli.on(data, "ins", "-q", "inbox").assertFailed("entroq ins: ", "bytes free");
    assertReads();
  }

  @Test
  void shouldReadOnReadOnlyDisk() {
    assertThat(run("mount", "-o", "remount,ro", disk.toString())).isTrue();
    assertReads();
  }

  private void assertReads() {
    assertThat(Cli.on(data, "stats").assertGood().out().lines()).hasSize(2);
    assertThat(Cli.on(data, "qs").assertGood().json().get("inbox").get("size").asInt()).isOne();
    assertThat(Cli.on(data, "ts", "-q", "inbox").assertGood().lines()).hasSize(1);
    assertThat(Cli.on(data, "ns", "-j").assertGood().out()).isNotEmpty();
    assertThat(Cli.on(data, "docs", "-n", "config").assertGood().out()).isEmpty();
    Cli.on(data, "time").assertGood();
    assertThat(Cli.run("log", "verify", data).assertGood().lastLine().get("ok").asBoolean())
        .isTrue();
    Cli.run("log", "stats", data).assertGood();
    Cli.run("log", "dump", data).assertGood();
    Cli.run("level", data).assertGood();
    Path backup = temporary.resolve("backup-" + System.nanoTime());
    Cli.run("backup", data, backup).assertGood();
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      // There is no such command.
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
