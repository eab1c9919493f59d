package io.entroq.server.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.server.settings.Settings;
import io.entroq.service.authentication.KeyServer;
import io.entroq.service.authentication.TestIssuer;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import io.entroq.service.testing.Await;
import io.entroq.tools.terminal.CommandException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that wants tokens, over gRPC and HTTP. */
class AuthenticatedServerTest {
  private static final String ANN = TestIssuer.bearerOf("ann");

  @TempDir private Path temporary;

  private static EntroqServer start(String... told) {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "ENTROQ_PORT", "0",
                "ENTROQ_HTTP_PORT", "0",
                "ENTROQ_AUTHN", "jwt",
                "ENTROQ_AUTH_ISSUER", TestIssuer.NAME,
                "ENTROQ_AUTH_AUDIENCE", "another," + TestIssuer.AUDIENCE));
    for (int i = 0; i < told.length; i += 2) {
      environment.put("ENTROQ_" + told[i], told[i + 1]);
    }
    return EntroqServer.start(Settings.of(List.of(), Optional.empty(), environment));
  }

  @Test
  void shouldServeCallersWithATokenOverGrpcAndHttp() throws Exception {
    try (KeyServer keys = new KeyServer(TestIssuer.document(TestIssuer.RSA));
        EntroqServer serving = start("AUTH_JWKS_URL", keys.url().toString());
        WireClient client = new WireClient(serving.port(), ANN);
        WireClient nobody = new WireClient(serving.port())) {
      assertThat(serving.access()).isEqualTo("no TLS, every caller with a token may do everything");
      V1 ann = new V1(client);
      ann.insert("/secret", "t");
      assertThat(ann.queues(QueuesRequest.newBuilder())).hasSize(1);
      assertThat(get(serving, "/api/v0/queues", ANN).statusCode()).isEqualTo(200);

      assertThat(code(() -> new V1(nobody).queues(QueuesRequest.newBuilder())))
          .isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(get(serving, "/api/v0/queues", "").statusCode()).isEqualTo(401);
      assertThat(get(serving, "/healthz", "").statusCode()).isEqualTo(200);
      assertThat(get(serving, "/api/v0/time", "").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void shouldNameQueuesInItsNumbersOnlyToCallersWithAToken() throws Exception {
    try (KeyServer keys = new KeyServer(TestIssuer.document(TestIssuer.RSA));
        EntroqServer serving = start("AUTH_JWKS_URL", keys.url().toString());
        WireClient client = new WireClient(serving.port(), ANN)) {
      new V1(client).insert("/secret", "t");
      for (String header : List.of("", "Bearer a.b.c", ANN.substring(0, ANN.length() - 9))) {
        HttpResponse<String> page = get(serving, "/metrics", header);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
            .contains("entroq_queues 1.0\n", "jvm_memory_used_bytes")
            .doesNotContain("secret");
      }
      assertThat(get(serving, "/metrics", ANN).body()).contains("queue=\"/secret\"");
    }
  }

  /** So that what is wrong with a request does not depend on who sends it. */
  @Test
  void shouldRefuseAMalformedRequestBeforeItAsksWhoCalls() throws Exception {
    try (KeyServer keys = new KeyServer(TestIssuer.document(TestIssuer.RSA));
        EntroqServer serving = start("AUTH_JWKS_URL", keys.url().toString());
        WireClient nobody = new WireClient(serving.port())) {
      assertThat(code(() -> new V1(nobody).tryClaim("x"))).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(get(serving, "/api/v0/tasks?nonsense=1", "").statusCode()).isEqualTo(400);
      assertThat(get(serving, "/api/v0/tasks?queue=q", "").statusCode()).isEqualTo(401);
      assertThat(keys.requests()).isEmpty();
    }
  }

  @Test
  void shouldStartBeforeItsKeysAreThere() throws Exception {
    Path file = temporary.resolve("keys.json");
    try (EntroqServer serving =
        start("AUTH_JWKS_FILE", file.toString(), "AUTH_JWKS_REFRESH_INTERVAL", "1s")) {
      assertThat(get(serving, "/api/v0/queues", ANN).statusCode()).isEqualTo(503);
      Files.writeString(file, TestIssuer.document(TestIssuer.RSA), UTF_8);
      Await.until(
          "the keys are read", () -> get(serving, "/api/v0/queues", ANN).statusCode() == 200);
    }
  }

  @Test
  void shouldSayWhatIsWrongWithItsSettings() throws Exception {
    assertThatThrownBy(() -> start("AUTH_JWKS_URL", "http://issuer.example/keys"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("the URL of keys must start with https://");
    assertThatThrownBy(() -> start("AUTH_JWKS_FILE", "keys.json", "AUTH_ALGORITHMS", "RS256,HS256"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("'HS256': expected RSA, EC, OKP,");
    Path noCertificate = Files.writeString(temporary.resolve("ca.pem"), "nothing");
    assertThatThrownBy(
            () ->
                start(
                    "AUTH_JWKS_URL",
                    "https://issuer.example/keys",
                    "AUTH_CA_FILE",
                    noCertificate.toString()))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("--auth-ca-file: cannot read a certificate from " + noCertificate);
  }

  private static HttpResponse<String> get(EntroqServer serving, String path, String header) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + serving.httpPort() + path));
    if (!header.isEmpty()) {
      request.header("Authorization", header);
    }
    return HttpClient.newHttpClient().sendAsync(request.build(), BodyHandlers.ofString()).join();
  }

  private static Status.Code code(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
    return Status.Code.OK;
  }
}
