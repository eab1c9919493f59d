package io.entroq.server.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.server.cli.Cli;
import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import io.entroq.server.cli.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A worker in its own process, at a server. */
@EnabledOnOs(OS.LINUX)
class WorkProcessIT {
  @TempDir private Path temporary;

  @Test
  void shouldFinishItsTaskWhenASignalEndsIt() throws Exception {
    Path errors = temporary.resolve("errors");
    try (ServerProcess server = ServerProcess.start(0)) {
      String address = "127.0.0.1:" + server.port();
      Cli.run("ins", "-s", address, "-q", "in", "-v", "1").assertGood();
      Process worker =
          Java.command(
                  Main.class,
                  "work",
                  "proc",
                  "-s",
                  address,
                  "-q",
                  "in",
                  "--env",
                  "PATH=/usr/bin:/bin",
                  "--dir",
                  temporary.toString(),
                  "--",
                  "/bin/sh",
                  "-c",
                  "touch begun; until test -e end; do sleep 0.01; done; echo done")
              .redirectError(errors.toFile())
              .start();
      try {
        while (Files.notExists(temporary.resolve("begun"))) {
          assertThat(worker.isAlive()).isTrue();
          TimeUnit.MILLISECONDS.sleep(10);
        }
        worker.toHandle().destroy();
        Files.createFile(temporary.resolve("end"));
        assertThat(worker.waitFor()).isEqualTo(128 + 15);
      } finally {
        worker.destroyForcibly();
      }
      assertThat(Files.readAllLines(errors)).containsExactly("entroq work proc: working on in");
      Cli done = Cli.run("ts", "-s", address, "-q", "in/done").assertGood();
      assertThat(done.lastLine().get("value").get("stdout").textValue()).isEqualTo("done\n");
    }
  }
}
