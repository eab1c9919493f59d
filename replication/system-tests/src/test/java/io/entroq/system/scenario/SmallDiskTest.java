package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallDiskTest {
  @TempDir Path directory;

  @Test
  void shouldBeFullThoughAMemberWritesMeanwhile() throws Exception {
    Assumptions.assumeTrue(SmallDisk.isAllowed(directory), "nothing can be mounted here");
    Path disk = directory.resolve("disk");
    SmallDisk small = SmallDisk.mount(disk);
    try {
      for (int i = 0; i < 5; i++) {
        Path file = disk.resolve("file-" + i);
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> isFull =
            CompletableFuture.supplyAsync(() -> writeAll(file, begun));
        begun.join();
        small.fill();
        assertThat(isFull.join()).isTrue();
        small.free();
        Files.write(file, new byte[1 << 16]);
      }
    } finally {
      small.close();
    }
  }

  /** Returns whether the disk was full before half a gigabyte was written. */
  private static boolean writeAll(Path file, CompletableFuture<Void> begun) {
    byte[] page = new byte[4_096];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < 1 << 17; i++) {
        out.write(page);
        begun.complete(null);
        LockSupport.parkNanos(50_000);
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
