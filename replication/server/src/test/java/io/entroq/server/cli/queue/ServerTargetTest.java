package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Cli;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.Settings;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a server. */
class ServerTargetTest {
  @TempDir Path temporary;

  private EmbeddedEntroQ engine;
  private GrpcServer server;

  @BeforeEach
  void start() throws IOException {
    engine = EmbeddedEntroQ.inMemory();
    server = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(0));
  }

  @AfterEach
  void stop() {
    server.close();
    engine.close();
  }

  private Cli run(Object... args) {
    List<Object> words = new ArrayList<>(List.of(args));
    words.add("-s");
    words.add("localhost:" + server.port());
    return Cli.run(words.toArray());
  }

  @Test
  void shouldRunCommandsOnServer() {
    JsonNode inserted = run("ins", "-q", "inbox", "-v", "{\"x\":1}").assertGood().json().get(0);
    assertThat(inserted.get("value").toString()).isEqualTo("{\"x\":1}");
    String id = inserted.get("id").asText();

    JsonNode claimed = run("claim", "-q", "inbox", "--claimant", "me").assertGood().json();
    assertThat(claimed.get("id").asText()).isEqualTo(id);
    assertThat(claimed.get("claimant").asText()).isEqualTo("me");
    run("claim", "-q", "inbox", "--try").assertNothing("No task");
    assertThat(run("ts", "-q", "inbox").assertGood().lines()).hasSize(1);
    run("mod", "-t", id, "-Q", "done", "--claimant", "me").assertGood();
    assertThat(run("qs").assertGood().json().fieldNames()).toIterable().containsExactly("done");
    assertThat(run("stats").assertGood().out().lines()).hasSize(2);
    assertThat(run("rm", "-t", id).assertGood().out()).isEqualTo("null\n");
    assertThat(run("time", "-m").assertGood().out()).matches("\\d+\n");
  }

  @Test
  void shouldRequireExactlyOneTarget() {
    run("qs", "--data", temporary).assertMisused("--data and -s");
    Cli.run("qs").assertMisused("--data=DIR", "--svcaddr=HOST:PORT");
    run("qs", "--durability", "disk").assertMisused("--durability applies to --data");
    Cli.run("qs", "--data", temporary, "-S").assertMisused("give -s");
    run("qs", "--tls-cert", "x.pem").assertMisused("--tls-key");
    run("qs", "--max_msg_size_mb", "0").assertMisused("--max-msg-size-mb 0");
    run("qs", "--connect-timeout", "0").assertMisused("--connect-timeout 0");
    Cli.run("qs", "-s", "http://localhost").assertMisused("HOST:PORT");
  }

  @Test
  void shouldUseAnyOfSeveralServers() throws IOException {
    int gone = freePort();
    String servers = "localhost:" + gone + ", localhost:" + server.port();
    Cli.run("ins", "-q", "inbox", "-s", servers).assertGood();
    assertThat(Cli.run("qs", "-s", servers).assertGood().json().fieldNames())
        .toIterable()
        .containsExactly("inbox");
    Cli.run("qs", "-s", "localhost,localhost").assertMisused("is repeated");
    Cli.run("qs", "-s", "localhost,").assertMisused("empty");
    server.close();
    Cli.run("qs", "-s", servers, "--connect-timeout", "200ms")
        .assertFailed("localhost:" + gone + " (UNAVAILABLE");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void shouldReportUnreachableServer() {
    int port = server.port();
    server.close();
    Cli.run("qs", "-s", "localhost:" + port, "--connect-timeout", "200ms")
        .assertFailed("the server cannot be reached");
  }

  @Test
  void shouldReportHttpPort() {
    Map<String, String> ports = Map.of("ENTROQ_PORT", "0", "ENTROQ_HTTP_PORT", "0");
    try (EntroqServer serving =
        EntroqServer.start(Settings.of(List.of(), Optional.empty(), ports))) {
      String address = "localhost:" + serving.httpPort();
      Cli.run("qs", "-s", address, "--connect-timeout", "2s")
          .assertFailed(
              "entroq qs: " + address + " seems to be a server's HTTP port", "-s needs its gRPC");
      run("import", "--from", address, "--from-connect-timeout", "2s")
          .assertFailed(
              address + " seems to be a server's HTTP port", "--from needs its gRPC port");
    }
  }

  @Test
  void shouldReportUnreadableKeys() {
    run("qs", "--tls-ca", temporary.resolve("none.pem")).assertMisused("none.pem");
  }

  @Test
  void shouldPutLoadOnAServer() {
    Cli bench =
        run(
            "bench",
            "--seconds",
            "0.3",
            "--warmup-seconds",
            "0.1",
            "--callers",
            "4",
            "--connections",
            "2",
            "--no-progress",
            "--json");
    assertThat(bench.status()).as(bench.err()).isZero();
    JsonNode result = bench.lastLine();
    assertThat(result.get("right").asBoolean()).isTrue();
    assertThat(result.get("cycles").asLong()).isPositive();
    assertThat(result.get("settings").get("connections").asInt()).isEqualTo(2);
    run("bench", "--data", temporary).assertMisused("cannot be combined with -s");
    Cli.run("bench", "--connections", "2").assertMisused("give -s");
  }
}
