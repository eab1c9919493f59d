package io.entroq.server.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.entroq.server.cli.Cli;
import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import io.entroq.server.cli.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A worker in its own process, at a server. */
@EnabledOnOs(OS.LINUX)
class WorkProcessIT {
  private static ServerProcess server;
  private static String address;

  @TempDir private Path temporary;

  @BeforeAll
  static void serve() throws IOException {
    server = ServerProcess.start(0);
    address = "127.0.0.1:" + server.port();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void shouldFinishItsTaskWhenASignalEndsIt() throws Exception {
    Path errors = temporary.resolve("errors");
    Cli.run("ins", "-s", address, "-q", "slow", "-v", "1").assertGood();
    Process worker =
        Java.command(
                Main.class,
                "work",
                "proc",
                "-s",
                address,
                "-q",
                "slow",
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
    assertThat(Files.readAllLines(errors)).containsExactly("entroq work proc: working on slow");
    Cli done = Cli.run("ts", "-s", address, "-q", "slow/done").assertGood();
    assertThat(done.lastLine().get("value").get("stdout").textValue()).isEqualTo("done\n");
  }

  @Test
  void shouldWorkForTheProgramOnThePage() throws Exception {
    Path python = Path.of("/usr/bin/python3");
    assumeThat(python).isExecutable();
    Matcher shown =
        Pattern.compile("```python\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../../engine/workers/README.md")));
    assertThat(shown.find()).isTrue();
    String entroq =
        Java.command(Main.class).command().stream()
            .map(word -> "\"" + word + "\"")
            .collect(Collectors.joining(", "));
    String program =
        shown.group(1).replace("\"entroq\"", entroq).replace("localhost:37706", address);
    Path script = Files.writeString(temporary.resolve("program.py"), program);
    Path output = temporary.resolve("output");
    Process worker =
        new ProcessBuilder(python.toString(), script.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      Cli.run("ins", "-s", address, "-q", "in", "-v", "\"hello\"").assertGood();
      Cli.run("ins", "-s", address, "-q", "in", "-v", "7").assertGood();
      Cli.run("claim", "-s", address, "-q", "out").lines();
      Cli done = Cli.run("ts", "-s", address, "-q", "out").assertGood();
      assertThat(done.lastLine().get("value").textValue()).isEqualTo("HELLO");
      Cli bad = Cli.run("claim", "-s", address, "-q", "in/err");
      assertThat(bad.lastLine().get("err").textValue()).isEqualTo("not a text");
    } finally {
      List<ProcessHandle> gateway = worker.children().toList();
      worker.destroyForcibly().waitFor();
      // The program has hung up.
      gateway.forEach(process -> process.onExit().join());
    }
    assertThat(Files.readAllLines(output))
        .containsExactlyInAnyOrder("protocol 1", "entroq work gateway: working on in");
  }
}
