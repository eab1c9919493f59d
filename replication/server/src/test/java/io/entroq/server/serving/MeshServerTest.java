package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.server.settings.Settings;
import io.entroq.service.authentication.KeyServer;
import io.entroq.service.authentication.TestIssuer;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import io.entroq.tools.terminal.CommandException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose policy is put over HTTP, asked over gRPC and HTTP. */
class MeshServerTest {
  private static final String OPERATOR = "system:serviceaccount:eqk8s-system:controller";
  private static final String GATEWAY = "system:serviceaccount:payments:gateway";
  private static final String POLICY =
      """
      {"initialized": true,
       "queues": [{"pattern": "/payments/leaf/inbox", "matchType": "Exact",
                   "allowedCallers": [{"app": "gateway"}]}],
       "namespaces": [],
       "identities": {"%s": {"labels": {"app": "gateway"}}}}
      """
          .formatted(GATEWAY);

  private final KeyServer keys = new KeyServer(TestIssuer.document(TestIssuer.RSA));

  @TempDir private Path directory;

  @AfterEach
  void close() {
    keys.close();
  }

  private EntroqServer start(Optional<Path> policy) {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "ENTROQ_PORT",
                "0",
                "ENTROQ_HTTP_PORT",
                "0",
                "ENTROQ_AUTHN",
                "jwt",
                "ENTROQ_AUTH_JWKS_URL",
                keys.url().toString(),
                "ENTROQ_AUTH_ISSUER",
                TestIssuer.NAME,
                "ENTROQ_AUTH_AUDIENCE",
                TestIssuer.AUDIENCE,
                "ENTROQ_AUTHZ",
                "mesh",
                "ENTROQ_MESH_UPDATE_SUBJECT",
                OPERATOR));
    policy.ifPresent(file -> environment.put("ENTROQ_MESH_POLICY_FILE", file.toString()));
    return EntroqServer.start(Settings.of(List.of(), Optional.empty(), environment));
  }

  private static HttpResponse<String> send(
      EntroqServer serving, String verb, String path, String header, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + serving.httpPort() + path))
            .method(verb, BodyPublishers.ofString(body))
            .header("Content-Type", "application/json");
    if (!header.isEmpty()) {
      request.header("Authorization", header);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> put(EntroqServer serving, String subject, String body)
      throws Exception {
    return send(serving, "PUT", "/v1/data/mesh", TestIssuer.bearerOf(subject), body);
  }

  private static Status.Code claim(V1 caller, String queue) {
    try {
      assertThat(caller.tryClaim(GATEWAY + "#1", queue).hasTask()).isFalse();
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  @Test
  void shouldGoByThePolicyThatItsOperatorPuts() throws Exception {
    try (EntroqServer serving = start(Optional.empty());
        WireClient client = new WireClient(serving.port(), TestIssuer.bearerOf(GATEWAY))) {
      V1 gateway = new V1(client);
      assertThat(serving.access())
          .isEqualTo("no TLS, authorization by mesh, authentication by jwt");
      // Its own queues only.
      assertThat(claim(gateway, "/payments/gateway/inbox")).isEqualTo(Status.Code.OK);
      assertThat(claim(gateway, "/payments/leaf/inbox")).isEqualTo(Status.Code.PERMISSION_DENIED);

      HttpResponse<String> done = put(serving, OPERATOR, POLICY);
      assertThat(done.statusCode()).isEqualTo(204);
      assertThat(done.body()).isEmpty();
      assertThat(claim(gateway, "/payments/leaf/inbox")).isEqualTo(Status.Code.OK);
      assertThat(claim(gateway, "/payments/leaf/response/1")).isEqualTo(Status.Code.OK);
      assertThat(claim(gateway, "/payments/other/inbox")).isEqualTo(Status.Code.PERMISSION_DENIED);

      assertThat(put(serving, OPERATOR, "{\"initialized\": true}").statusCode()).isEqualTo(204);
      assertThat(claim(gateway, "/payments/leaf/inbox")).isEqualTo(Status.Code.PERMISSION_DENIED);
    }
  }

  @Test
  void shouldRefusePoliciesAsEntroqDoes() throws Exception {
    try (EntroqServer serving = start(Optional.empty());
        WireClient client = new WireClient(serving.port(), TestIssuer.bearerOf(GATEWAY))) {
      assertThat(put(serving, OPERATOR, POLICY).statusCode()).isEqualTo(204);

      HttpResponse<String> nobody = send(serving, "PUT", "/v1/data/mesh", "", "{}");
      assertThat(nobody.statusCode()).isEqualTo(401);
      assertThat(nobody.headers().firstValue("www-authenticate")).contains("Bearer");
      assertThat(send(serving, "PUT", "/v1/data/mesh", "Bearer a.b.c", "{}").statusCode())
          .isEqualTo(401);
      assertThat(put(serving, GATEWAY, "{\"initialized\": true}").statusCode()).isEqualTo(403);
      for (String invalid :
          List.of("", "{}", "{\"initialized\": true, \"unknown\": true}", POLICY + "{}")) {
        HttpResponse<String> refused = put(serving, OPERATOR, invalid);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).startsWith("invalid mesh document: ");
      }
      assertThat(put(serving, OPERATOR, " ".repeat((2 << 20) + 1)).statusCode()).isEqualTo(413);
      for (String verb : List.of("GET", "POST", "DELETE")) {
        HttpResponse<String> wrong =
            send(serving, verb, "/v1/data/mesh", TestIssuer.bearerOf(OPERATOR), POLICY);
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("allow")).contains("PUT");
      }
      // The policy is what it was.
      assertThat(claim(new V1(client), "/payments/leaf/inbox")).isEqualTo(Status.Code.OK);
    }
  }

  /** Nobody knows then who puts it. */
  @Test
  void shouldBeUnavailableForPoliciesWithoutKeys() throws Exception {
    keys.serve("{}");
    try (EntroqServer serving = start(Optional.empty())) {
      assertThat(put(serving, OPERATOR, POLICY).statusCode()).isEqualTo(503);
    }
  }

  @Test
  void shouldForgetAPutPolicyAtARestartUnlessAFileHasIt() throws Exception {
    Path file = Files.writeString(directory.resolve("mesh.json"), POLICY);
    try (EntroqServer serving = start(Optional.of(file));
        WireClient client = new WireClient(serving.port(), TestIssuer.bearerOf(GATEWAY))) {
      assertThat(claim(new V1(client), "/payments/leaf/inbox")).isEqualTo(Status.Code.OK);
      assertThat(put(serving, OPERATOR, "{\"initialized\": true}").statusCode()).isEqualTo(204);
    }
    assertThat(file).hasContent(POLICY);
    try (EntroqServer serving = start(Optional.of(file));
        WireClient client = new WireClient(serving.port(), TestIssuer.bearerOf(GATEWAY))) {
      assertThat(claim(new V1(client), "/payments/leaf/inbox")).isEqualTo(Status.Code.OK);
    }
    Files.writeString(file, "{}");
    assertThatThrownBy(() -> start(Optional.of(file)))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(file + ": invalid mesh document: initialized is not true");
  }

  @Test
  void shouldNameQueuesInItsNumbersOnlyToTheOperator() throws Exception {
    try (EntroqServer serving = start(Optional.empty());
        WireClient client = new WireClient(serving.port(), TestIssuer.bearerOf(GATEWAY))) {
      new V1(client)
          .modify(
              ModifyRequest.newBuilder()
                  .setClaimantId(GATEWAY + "#1")
                  .addInserts(V1.data("/payments/gateway/secret")));
      for (String header : List.of("", TestIssuer.bearerOf(GATEWAY))) {
        HttpResponse<String> page = send(serving, "GET", "/metrics", header, "");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("entroq_queues 1.0\n").doesNotContain("secret");
      }
      assertThat(send(serving, "GET", "/metrics", TestIssuer.bearerOf(OPERATOR), "").body())
          .contains("queue=\"/payments/gateway/secret\"");
    }
  }

  @Test
  void shouldNotTakePoliciesUnlessItGoesByThem() throws Exception {
    Settings settings =
        Settings.of(
            List.of(), Optional.empty(), Map.of("ENTROQ_PORT", "0", "ENTROQ_HTTP_PORT", "0"));
    try (EntroqServer serving = EntroqServer.start(settings)) {
      assertThat(put(serving, OPERATOR, POLICY).statusCode()).isEqualTo(404);
    }
  }
}
