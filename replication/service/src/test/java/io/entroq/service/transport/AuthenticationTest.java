package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.DocsRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.NamespacesRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.codec.wire.published.v1.TimeRequest;
import io.entroq.codec.wire.published.v1.TimeResponse;
import io.entroq.service.authentication.Authentication;
import io.entroq.service.authentication.KeyServer;
import io.entroq.service.authentication.TestIssuer;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.V1Docs;
import io.entroq.service.grpc.WireClient;
import io.entroq.service.queue.FirstRequests;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each request needs a token by whichever way it comes, if that is required. */
class AuthenticationTest {
  /** By a name that both APIs know. */
  private static final String ANYBODY = "a0000000-0000-4000-8000-00000000000a";

  private static final String ANN = TestIssuer.bearerOf("ann");

  private final KeyServer keys = new KeyServer(TestIssuer.document(TestIssuer.RSA));
  private final FirstRequests firsts = new FirstRequests();
  private Authorization authorization;
  private ServedTransports doors;

  @AfterEach
  void close() {
    doors.close();
    authorization.close();
    keys.close();
  }

  private void open(Optional<String> header) throws Exception {
    open(AuthorizationConfig.NONE, header);
  }

  private void open(AuthorizationConfig config, Optional<String> header) throws Exception {
    authorization =
        Authorization.of(
            config,
            Authentication.of(TestIssuer.config().jwksUrl(Optional.of(keys.url())).build()));
    doors =
        new ServedTransports(
            service -> firsts.before(authorization.guard(service), service), header);
  }

  private static TransportRequest request(String method, Message.Builder message) {
    return TransportRequest.of(method, message);
  }

  /** Valid requests, one for each method but Time. */
  private static List<TransportRequest> requests() {
    return List.of(
        request("TryClaim", V1.claim(ANYBODY, "q")),
        request(
            "Modify", ModifyRequest.newBuilder().setClaimantId(ANYBODY).addInserts(V1.data("q"))),
        request("Claim", V1.claim(ANYBODY, "q")),
        request("Tasks", TasksRequest.newBuilder().setQueue("q")),
        request("Queues", QueuesRequest.newBuilder()),
        request("QueueStats", QueuesRequest.newBuilder()),
        request("Docs", DocsRequest.newBuilder().setQuery(DocQuery.newBuilder().setNamespace("n"))),
        request("ClaimDocs", V1Docs.claim(ANYBODY, "n", "k", 60_000)),
        request("NamespaceStats", NamespacesRequest.newBuilder()));
  }

  private void assertEach(Status.Code code, String message) throws Exception {
    for (Transport way : Transport.values()) {
      for (TransportRequest request : requests()) {
        way.ask(doors, request)
            .ifPresent(
                answer -> {
                  assertThat(answer.code()).as("%s %s", way, request).isEqualTo(code);
                  assertThat(answer.message()).startsWith(message);
                });
      }
    }
  }

  @Test
  void shouldRefuseEachRequestWithoutAToken() throws Exception {
    open(Optional.empty());
    assertEach(Status.Code.UNAUTHENTICATED, "authentication failed: a token is required");
    // In the end of a stream, as its status has been sent.
    HttpResponse<byte[]> streamed =
        doors.post(
            "/api.EntroQ/StreamTasks",
            "application/connect+json",
            ByteString.fromHex("000000000d")
                .concat(ByteString.copyFromUtf8("{\"queue\":\"q\"}"))
                .toByteArray());
    JsonNode end =
        JsonMapper.builder().build().readTree(streamed.body(), 5, streamed.body().length - 5);
    assertThat(end.at("/error/code").asText()).isEqualTo("unauthenticated");
    assertThat(doors.get("/api/v0/queues").headers().firstValue("www-authenticate"))
        .contains("Bearer");
    try (WireClient client = doors.connect(Optional.of(ANN))) {
      assertThat(new V1(client).queues(QueuesRequest.newBuilder())).isEmpty();
    }
  }

  @Test
  void shouldRefuseEachRequestWithAnInvalidToken() throws Exception {
    open(Optional.of("Bearer a.b.c"));
    assertEach(Status.Code.UNAUTHENTICATED, "authentication failed: the bearer token is not");
  }

  /** To a producer, a refusal would mean that it need not try again. */
  @Test
  void shouldBeUnavailableWithoutKeys() throws Exception {
    keys.serve("{}");
    open(Optional.of(ANN));
    assertEach(Status.Code.UNAVAILABLE, "authentication failed: the keys for verifying tokens");
  }

  @Test
  void shouldServeEachRequestWithAToken() throws Exception {
    open(Optional.of(ANN));
    for (Transport way : Transport.values()) {
      for (TransportRequest request : requests()) {
        way.ask(doors, request)
            .ifPresent(
                answer ->
                    assertThat(answer.code()).as("%s %s", way, request).isEqualTo(Status.Code.OK));
      }
    }
  }

  /** Clients negotiate by it, and probes look whether the server is well. */
  @Test
  void shouldTellTheTimeAndItsHealthToEverybody() throws Exception {
    open(Optional.empty());
    assertThat(doors.get("/api/v0/time").statusCode()).isEqualTo(200);
    assertThat(doors.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(doors.get("/healthz/started").statusCode()).isEqualTo(200);
    Message time =
        doors.client.call(
            "api.EntroQ/Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());
    assertThat(((TimeResponse) time).getTimeMs()).isPositive();
  }

  /** A token may have expired between the two; the client sends the second with a new one. */
  @ParameterizedTest
  @EnumSource(value = Transport.class, mode = EnumSource.Mode.EXCLUDE, names = "V0")
  void shouldTakeWhatFollowsAFirstRequestWithoutAToken(Transport way) throws Exception {
    open(Optional.empty());
    ModifyRequest.Builder request =
        ModifyRequest.newBuilder()
            .setClaimantId("ann#1")
            .setClientId(ByteString.copyFromUtf8("0123456789abcdef"))
            .setRequestNumber(1)
            .addInserts(V1.data("q"));
    assertThat(way.ask(doors, request("Modify", request)).orElseThrow().code())
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    try (WireClient client = doors.connect(Optional.of(ANN))) {
      V1 ann = new V1(client);
      assertThat(ann.modify(request.setRequestNumber(2).setAckedBelow(2)).getInsertedCount())
          .isEqualTo(1);
    }
  }

  @Test
  void shouldTellTheAuthorizerWhoCallsAndKeepTheTokenToItself() throws Exception {
    try (FakeOpa opa =
        new FakeOpa(
            input ->
                JsonMapper.builder()
                    .build()
                    .createObjectNode()
                    .put("allow", input.at("/principal/claims/role").asText().equals("worker")))) {
      open(
          new AuthorizationConfig(
              AuthorizationConfig.Mode.OPAHTTP,
              opa.url(),
              AuthorizationConfig.PATH_DEFAULT,
              AuthorizationConfig.TIMEOUT_DEFAULT,
              true,
              true),
          Optional.of(ANN));
      for (Transport way : Transport.values()) {
        for (TransportRequest request : requests()) {
          int asked = opa.asked.size();
          way.ask(doors, request)
              .ifPresent(
                  answer -> {
                    assertThat(answer.code()).as("%s", request).isEqualTo(Status.Code.OK);
                    assertThat(opa.asked.size()).as("%s", request).isGreaterThan(asked);
                    assertThat(opa.last().authorization()).isNull();
                    assertThat(opa.last().body().at("/input/principal/subject").asText())
                        .isEqualTo("ann");
                    assertThat(opa.last().body().toString())
                        .doesNotContain("\"authz\"")
                        .doesNotContain(ANN.substring("Bearer ".length()));
                  });
        }
      }
      int asked = opa.asked.size();
      try (WireClient nobody = doors.connect(Optional.empty())) {
        assertThat(code(nobody)).isEqualTo(Status.Code.UNAUTHENTICATED);
      }
      assertThat(opa.asked).hasSize(asked);
    }
  }

  private static Status.Code code(WireClient client) {
    try {
      assertThat(new V1(client).tryClaim("x", "q").hasTask()).isFalse();
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  /** Proxies and servers might go by different ones. */
  @Test
  void shouldRefuseMoreThanOneHeader() throws Exception {
    open(Optional.of(ANN));
    HttpResponse<byte[]> twice =
        doors.send(doors.to("/api/v0/queues").header("Authorization", ANN));
    assertThat(twice.statusCode()).isEqualTo(401);
    assertThat(new String(twice.body(), StandardCharsets.UTF_8))
        .contains("more than one Authorization header");
  }

  @Test
  void shouldSayOverHttpWhatIsMissing() throws Exception {
    open(Optional.empty());
    HttpResponse<byte[]> rest = doors.get("/api/v0/queues");
    assertThat(rest.statusCode()).isEqualTo(401);
    assertThat(new String(rest.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"code\":16,\"message\":\"authentication failed: a token is required; send the header"
                + " Authorization: Bearer TOKEN\",\"details\":[]}");
  }
}
