package io.entroq.server.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.server.cli.Cli;
import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import io.entroq.server.cli.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
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
  /** In seconds. */
  private static final String PATIENCE = "60";

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
                "--connect-timeout",
                PATIENCE,
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
      assertThat(awaitEnd(worker, errors)).isEqualTo(128 + 15);
    } finally {
      worker.destroyForcibly();
    }
    assertThat(Files.readAllLines(errors)).containsExactly("entroq work proc: working on slow");
    Cli done = Cli.run("ts", "-s", address, "-q", "slow/done").assertGood();
    assertThat(done.lastLine().get("value").get("stdout").textValue()).isEqualTo("done\n");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int awaitEnd(Process process, Path output) throws Exception {
    boolean hasEnded = process.waitFor(Long.parseLong(PATIENCE), TimeUnit.SECONDS);
    assertThat(hasEnded).as(() -> read(output)).isTrue();
    return process.exitValue();
  }

  /** Claims a task that a process inserts, unless that ends before. */
  private static JsonNode claim(String queue, Process inserting, Path output) throws Exception {
    while (true) {
      Cli claimed = Cli.run("claim", "-s", address, "-q", queue, "--try");
      if (claimed.status() == 0) {
        return claimed.lastLine();
      }
      claimed.assertNothing("No task");
      assertThat(inserting.isAlive()).as(() -> read(output)).isTrue();
      TimeUnit.MILLISECONDS.sleep(10);
    }
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
        shown
            .group(1)
            .replace("\"entroq\"", entroq)
            .replace("localhost:37706", address)
            // A busy machine may take longer than 5 seconds.
            .replace("\"-q\"", "\"--connect-timeout\", \"%s\", \"-q\"".formatted(PATIENCE));
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
      assertThat(claim("out", worker, output).get("value").textValue()).isEqualTo("HELLO");
      assertThat(claim("in/err", worker, output).get("err").textValue()).isEqualTo("not a text");
    } finally {
      List<ProcessHandle> gateway = worker.children().toList();
      worker.destroyForcibly().waitFor();
      // The program has hung up.
      for (ProcessHandle process : gateway) {
        assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(60));
      }
    }
    assertThat(Files.readAllLines(output))
        .containsExactlyInAnyOrder("protocol 1", "entroq work gateway: working on in");
  }

  @Test
  void shouldServeAProgramThatConnectsUntilASignalEndsIt() throws Exception {
    Path errors = temporary.resolve("errors");
    Process gateway =
        Java.command(
                Main.class,
                "work",
                "gateway",
                "-s",
                address,
                "--connect-timeout",
                PATIENCE,
                "-q",
                "socket",
                "--addr",
                "0")
            .redirectError(errors.toFile())
            .start();
    try {
      Pattern url = Pattern.compile("programs connect to (ws://127.0.0.1:\\d+/work)\n");
      Matcher found = url.matcher("");
      while (!found.reset(read(errors)).find()) {
        assertThat(gateway.isAlive()).as(() -> read(errors)).isTrue();
        TimeUnit.MILLISECONDS.sleep(10);
      }
      BlockingQueue<String> messages = new LinkedBlockingQueue<>();
      CompletableFuture<Integer> closed = new CompletableFuture<>();
      WebSocket program =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .buildAsync(
                  URI.create(found.group(1) + "?queue=socket&work=1"),
                  new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(
                        WebSocket from, CharSequence text, boolean last) {
                      messages.add(text.toString());
                      from.request(1);
                      return null;
                    }

                    @Override
                    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
                      closed.complete(code);
                      return null;
                    }
                  })
              .join();
      assertThat(messages.take()).contains("\"protocol\":1");
      Cli.run("ins", "-s", address, "-q", "socket", "-v", "1").assertGood();
      assertThat(messages.take()).contains("doWork");
      gateway.toHandle().destroy();
      program.sendText("{\"type\":\"result\",\"outcome\":\"ok\",\"ack\":true}", true).join();
      assertThat(closed).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(1000);
      assertThat(awaitEnd(gateway, errors)).isEqualTo(128 + 15);
    } finally {
      gateway.destroyForcibly();
    }
    assertThat(Cli.run("ts", "-s", address, "-q", "socket").assertGood().lines()).isEmpty();
  }
}
