package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.server.service.grpc.V1;
import io.entroq.server.service.grpc.WireClient;
import io.grpc.Status;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server as a process of its own. */
@Timeout(60)
class ServeCommandTest {
  private static final Pattern START =
      Pattern.compile("Starting EntroQ server (\\d+) -> (.*), durability (\\w+)");

  @TempDir private Path data;
  private final List<Process> servers = new ArrayList<>();

  @AfterEach
  void kill() {
    servers.forEach(Process::destroyForcibly);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldKeepTasksAndAskWaitingCallersToComeAgainWhenItIsToEnd() throws Exception {
    Process first = serve();
    Task task;
    try (WireClient client = new WireClient(port(first))) {
      V1 v1 = new V1(client);
      task = v1.insert("q", "t");
      ListenableFuture<ClaimResponse> claim = v1.beginClaim(V1.claim("c", "empty").build());
      // By the time of this answer the claim waits.
      v1.task("t");
      // SIGTERM.
      first.toHandle().destroy();
      assertThat(code(claim)).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }
    assertThat(first.waitFor()).isEqualTo(128 + 15);
    assertThat(first.errorReader().lines())
        .allMatch(line -> line.contains(" INFO ServeCommand - "))
        .last(as(STRING))
        .endsWith(" - Ended.");

    Process second = serve();
    try (WireClient client = new WireClient(port(second))) {
      assertThat(new V1(client).task("t")).isEqualTo(task);
    }
  }

  @Test
  void shouldRefuseAPortThatIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      String port = Integer.toString(taken.getLocalPort());
      Cli.run("serve", "--port", port, "--http-port", "0")
          .assertFailed("cannot listen on port " + port);
    }
  }

  @Test
  void shouldStartAsItDidBeforeThereWereCommands() throws Exception {
    Process server = Java.start(Main.class, "--http_port", "0", "--port=0");
    servers.add(server);
    assertThat(server.inputReader().readLine())
        .matches("Starting EntroQ server \\d+ -> memory; nothing is kept when it ends");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void shouldMakeADirectoryByTheNameOfEntroQOnlyIfItIsTold() throws Exception {
    Path journal = data.resolve("a/journal");
    Cli.run("serve", "--journal", journal)
        .assertFailed("--journal: " + journal, "--mkdir makes it");
    assertThat(journal).doesNotExist();
    Cli.run("serve", "--journal", journal, "--mkdir", "--snapshot_and_quit").assertGood();
    assertThat(Files.getPosixFilePermissions(journal))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void shouldTakeASnapshotAndEnd() {
    for (int round = 0; round < 2; round++) {
      Cli run = Cli.run("serve", "--data", data, "--snapshot-and-quit").assertGood();
      assertThat(run.out()).startsWith("The newest snapshot has all up to sequence ");
    }
    assertThat(Cli.run("log", "stats", data).assertGood().out()).contains("snapshot");
  }

  @Test
  void shouldSayWhatHasNoEffect() {
    Cli.run(
            "serve",
            "--journal=" + data,
            "--snapshot_and_quit=true",
            "--journal_cleanup",
            "--journal_cleanup")
        .assertGoodWith("--journal_cleanup: ", "without effect");
  }

  @Test
  void shouldPrintWhatHoldsAndWhoHasSaidIt() throws Exception {
    Path config = Files.writeString(data.resolve("entroq.yml"), "http_port: 4001\nport: 1");
    Cli run =
        Cli.run("serve", "--config", config, "--port=2", "--port", "3", "--print-config")
            .assertGood();
    assertThat(run.out())
        .containsPattern("\nport: 3 +# --port\n")
        .containsPattern("\nhttp-port: 4001 +# .*entroq.yml:1: http-port\n")
        .containsPattern("\nmax-size-mb: 10 +# default\n");
  }

  @Test
  void shouldRefuseWhatCannotBe() throws Exception {
    Cli.run("serve", "--http_port", "x").assertMisused("--http_port: x, from 0 to 65535");
    Cli.run("serve", "--config", data.resolve("no")).assertMisused("no: cannot be read");
    Cli.run("serve", "--disk-low-bytes", "17MiB").assertFailed("diskLowBytes");
  }

  private Process serve() throws Exception {
    Process server =
        Java.start(
            Main.class, "serve", "--data", data.toString(), "--port", "0", "--http-port", "0");
    servers.add(server);
    return server;
  }

  private int port(Process server) throws Exception {
    String line = server.inputReader().readLine();
    assertThat(line).as("what the server says first").isNotNull();
    Matcher start = START.matcher(line);
    assertThat(start.matches()).as(line).isTrue();
    assertThat(start.group(2)).isEqualTo(data.toString());
    assertThat(start.group(3)).isEqualTo("disk");
    return Integer.parseInt(start.group(1));
  }

  private static Status.Code code(ListenableFuture<ClaimResponse> claim) throws Exception {
    try {
      claim.get(30, TimeUnit.SECONDS);
      return Status.Code.OK;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    }
  }
}
