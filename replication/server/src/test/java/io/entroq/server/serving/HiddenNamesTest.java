package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.v1.DocData;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.server.settings.Settings;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With an authorizer, callers over HTTP learn no name of queues and namespaces closed to them. */
class HiddenNamesTest {
  private static final String HIDDEN = "hidden";
  private static final String ROOT = "Bearer token-of-root";
  private static final String ANN = "Bearer token-of-ann";
  private static final List<String> CALLERS = List.of("", "Bearer nonsense", ANN);

  /** What lists names, if it lists any at all. */
  private static final List<String> LISTINGS =
      List.of("/api/v0/queues", "/api/v0/queues/stats", "/api/v0/namespaces/stats");

  private static final List<String> PAGES =
      List.of(
          "/metrics",
          "/healthz",
          "/healthz/live",
          "/healthz/ready",
          "/",
          "/api/v0",
          "/api/v0/time",
          "/api/v0/tasks?queue=/shop/orders",
          "/api/v0/tasks?taskId=taken",
          "/api/v0/docs?query.namespace=prices",
          "/api/v0/nonsense",
          "/v1/data/mesh");

  /** What ann may ask for, about a task that she may not see. */
  private static final List<String> MODIFICATIONS =
      List.of(
          "\"inserts\":[{\"queue\":\"/shop/orders\",\"id\":\"taken\"}]",
          "\"deletes\":[{\"id\":\"taken\",\"version\":0,\"queue\":\"/shop/orders\"}]",
          "\"depends\":[{\"id\":\"taken\",\"version\":0,\"queue\":\"/shop/orders\"}]",
          "\"deletes\":[{\"id\":\"taken\",\"version\":0}]",
          "\"changes\":[{\"oldId\":{\"id\":\"taken\",\"version\":0,\"queue\":\"/shop/orders\"},"
              + "\"newData\":{\"queue\":\"/shop/orders\"}}]");

  private final HttpClient http = HttpClient.newHttpClient();
  private final FakeOpa opa = new FakeOpa(new ExamplePolicy());
  private EntroqServer serving;

  @BeforeEach
  void serve() {
    serve(true);
  }

  private void serve(boolean authorizesAll) {
    serving =
        EntroqServer.start(
            Settings.of(
                List.of(),
                Optional.empty(),
                Map.of(
                    "ENTROQ_HOST", "127.0.0.1",
                    "ENTROQ_PORT", "0",
                    "ENTROQ_HTTP_PORT", "0",
                    "ENTROQ_AUTHZ", "opahttp",
                    "ENTROQ_OPA_URL", opa.url(),
                    "ENTROQ_AUTHZ_ALL", Boolean.toString(authorizesAll))));
    try (WireClient client = new WireClient(serving.port(), ROOT)) {
      new V1(client)
          .modify(
              ModifyRequest.newBuilder()
                  .setClaimantId("root#1")
                  .addInserts(V1.data("/" + HIDDEN + "/queue").setId("taken"))
                  .addDocInserts(
                      DocData.newBuilder().setNamespace("/" + HIDDEN + "/docs").setKey("key")));
    }
  }

  @AfterEach
  void close() {
    serving.close();
    opa.close();
  }

  @Test
  void shouldTellTheNamesToThoseWhoMaySeeThem() throws Exception {
    for (String path : LISTINGS) {
      assertThat(get(path, ROOT).body()).as(path).contains(HIDDEN);
    }
    assertThat(get("/metrics", ROOT).body()).contains(HIDDEN);
  }

  @Test
  void shouldTellNoNameInAnyPageOrListing() throws Exception {
    for (String caller : CALLERS) {
      for (String path : PAGES) {
        assertNothingTold(path, get(path, caller));
      }
      for (String path : LISTINGS) {
        HttpResponse<String> refused = get(path, caller);
        assertThat(refused.statusCode()).as(path).isEqualTo(403);
        assertNothingTold(path, refused);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v0/modify", "/api.EntroQ/Modify"})
  void shouldTellNoNameInARefusal(String path) throws Exception {
    for (String modification : MODIFICATIONS) {
      HttpResponse<String> refused =
          send(
              HttpRequest.newBuilder(uri(path))
                  .POST(BodyPublishers.ofString("{\"claimantId\":\"ann#1\"," + modification + "}"))
                  .header("Content-Type", "application/json"),
              ANN);
      assertThat(refused.statusCode()).as(modification).isIn(403, 409);
      assertNothingTold(modification, refused);
    }
  }

  /** EntroQ's own server does not authorize listings of names; --authz-all does. */
  @Test
  void shouldTellNamesInListingsOnlyUnlessTheyAreAuthorizedToo() throws Exception {
    serving.close();
    serve(false);
    for (String caller : CALLERS) {
      for (String path : LISTINGS) {
        assertThat(get(path, caller).body()).as(path).contains(HIDDEN);
      }
      for (String path : PAGES) {
        assertNothingTold(path, get(path, caller));
      }
    }
  }

  private static void assertNothingTold(String what, HttpResponse<String> response) {
    assertThat(response.body()).as(what).doesNotContain(HIDDEN);
    assertThat(response.headers().map().toString()).as(what).doesNotContain(HIDDEN);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(serving.httpPort(), path));
  }

  private HttpResponse<String> get(String path, String caller) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)), caller);
  }

  private HttpResponse<String> send(HttpRequest.Builder request, String caller) throws Exception {
    if (!caller.isEmpty()) {
      request.header("Authorization", caller);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
