package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.Closing;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.service.testing.Await;
import io.entroq.service.testing.MemberPorts;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes are ready only while their members have a leader. gRPC reports SERVING for a while longer,
 * since an election is short.
 */
class NodeReadinessTest {
  private static final int MEMBERS = 3;

  @TempDir private Path directory;

  private final String members =
      MemberPorts.take(MEMBERS).stream()
          .map(port -> "127.0.0.1:" + port)
          .collect(Collectors.joining(","));
  private final HttpClient http = HttpClient.newHttpClient();
  private final EntroqServer[] nodes = new EntroqServer[MEMBERS];

  @AfterEach
  void close() {
    Closing.all(nodes);
  }

  @Test
  void shouldBeReadyWithALeaderOnly() {
    start(0);
    assertUnready("alone");
    assertThat(serves()).as("before it has ever been ready").isFalse();

    start(1);
    Await.until("the first is ready", () -> readiness(0).statusCode() == 200 && serves());
    assertThat(readiness(0).body()).isEqualTo("ok\n");
    Await.until("the other one is ready", () -> readiness(1).statusCode() == 200);

    EntroqServer other = nodes[1];
    nodes[1] = null;
    other.close();
    Await.until("it is noticed", () -> readiness(0).statusCode() == 503);
    assertUnready("left alone");
    assertThat(serves()).as("right after it was ready").isTrue();
  }

  private void assertUnready(String when) {
    HttpResponse<String> answer = readiness(0);
    assertThat(answer.statusCode()).as(when).isEqualTo(503);
    assertThat(answer.body()).isEqualTo("the member has no leader\n");
    assertThat(ask(0, "live").statusCode()).as(when).isEqualTo(200);
  }

  private void start(int id) {
    Map<String, String> settings =
        Map.of(
            "ENTROQ_ID",
            Integer.toString(id),
            "ENTROQ_MEMBERS",
            members,
            "ENTROQ_DATA",
            directory.resolve("member-" + id).toString(),
            "ENTROQ_BOOTSTRAP",
            "true",
            "ENTROQ_DURABILITY",
            "os",
            "ENTROQ_HOST",
            "127.0.0.1",
            "ENTROQ_PORT",
            "0",
            "ENTROQ_HTTP_PORT",
            "0");
    nodes[id] =
        EntroqServer.startNode(
            Settings.of(ServerSettings.ofNode(), List.of(), Optional.empty(), settings));
  }

  private HttpResponse<String> readiness(int id) {
    return ask(id, "ready");
  }

  private HttpResponse<String> ask(int id, String what) {
    URI page = URI.create("http://127.0.0.1:%d/healthz/%s".formatted(nodes[id].httpPort(), what));
    try {
      return http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the first one says over gRPC. */
  private boolean serves() {
    ManagedChannel channel =
        Grpc.newChannelBuilder("127.0.0.1:" + nodes[0].port(), InsecureChannelCredentials.create())
            .build();
    try {
      return HealthGrpc.newBlockingStub(channel)
              .check(HealthCheckRequest.getDefaultInstance())
              .getStatus()
          == ServingStatus.SERVING;
    } finally {
      channel.shutdownNow();
    }
  }
}
