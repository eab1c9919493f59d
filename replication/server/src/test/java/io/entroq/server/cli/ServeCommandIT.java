package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server in its own process. */
class ServeCommandIT {
  @TempDir private Path data;
  private final List<Process> servers = new ArrayList<>();

  @AfterEach
  void kill() {
    servers.forEach(Process::destroyForcibly);
  }

  @Test
  void shouldReportPortInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      String port = Integer.toString(taken.getLocalPort());
      Cli.run("serve", "--port", port, "--http-port", "0")
          .assertFailed("cannot listen on port " + port);
    }
  }

  @Test
  void shouldStartWithoutCommand() throws Exception {
    Process server = Java.start(Main.class, "--http_port", "0", "--port=0");
    servers.add(server);
    assertThat(server.inputReader().readLine())
        .matches("Starting EntroQ server \\d+ -> memory; all tasks are lost at shutdown");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void shouldCreateDirectoryUnderEntroQNameOnlyOnRequest() throws Exception {
    Path journal = data.resolve("a/journal");
    Cli.run("serve", "--journal", journal)
        .assertFailed("--journal: " + journal, "--mkdir creates it");
    assertThat(journal).doesNotExist();
    Cli.run("serve", "--journal", journal, "--mkdir", "--snapshot_and_quit").assertGood();
    assertThat(Files.getPosixFilePermissions(journal))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void shouldTakeASnapshotAndEnd() {
    for (int round = 0; round < 2; round++) {
      Cli run = Cli.run("serve", "--data", data, "--snapshot-and-quit").assertGood();
      assertThat(run.out()).startsWith("The newest snapshot includes sequence ");
    }
    assertThat(Cli.run("log", "stats", data).assertGood().out()).contains("snapshot");
  }

  @Test
  void shouldWarnAboutSettingsWithoutEffect() {
    Cli.run(
            "serve",
            "--journal=" + data,
            "--snapshot_and_quit=true",
            "--journal_cleanup",
            "--journal_cleanup")
        .assertGoodWith("--journal_cleanup: ", "has no effect");
  }

  @Test
  void shouldPrintSettingsWithSources() throws Exception {
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
  void shouldPrintTheVersionAndTheStartLinesOfNewerServersOnStandardError() throws Exception {
    try (ServerProcess server = ServerProcess.start(0, "--data", data.toString())) {
      server.terminate();
      server.awaitEnd();
      assertThat(server.errors().lines().findFirst().orElse(""))
          .matches(".* entroq (development|[0-9]\\S+)");
      assertThat(server.errors())
          .contains(
              "Starting EntroQ gRPC server 127.0.0.1:%d -> entroq(journal=\"%s\")\n"
                  .formatted(server.port(), data),
              "Starting EntroQ HTTP/JSON and metrics server 127.0.0.1:" + server.httpPort());
    }
  }

  @Test
  void shouldRejectInvalidSettings() throws Exception {
    Cli.run("serve", "--http_port", "x")
        .assertMisused(
            "--http_port: invalid value 'x': expected 0 to 65535 (see entroq serve --help)");
    Cli.run("serve", "--config", data.resolve("no")).assertMisused("no: cannot be read");
    Cli.run("serve", "--disk-low-bytes", "17MiB").assertFailed("--disk-low-bytes must be");
  }
}
