package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.Message;
import io.entroq.codec.wire.published.stream.StreamError;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.v1.ActionType;
import io.entroq.codec.wire.published.v1.AuthzDep;
import io.entroq.codec.wire.published.v1.Doc;
import io.entroq.codec.wire.published.v1.DocID;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.DocsRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.NamespacesRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.V1Docs;
import io.grpc.Status;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is denied is denied by whichever way it is asked for, contract 4.4. */
class DenialTest {
  private static final Set<Transport> NEWER = EnumSet.complementOf(EnumSet.of(Transport.V0));

  /** By a name that both APIs know. */
  private static final String ANYBODY = "a0000000-0000-4000-8000-00000000000a";

  private static final TransportAnswer DENIED =
      new TransportAnswer(Status.Code.PERMISSION_DENIED, "queue action denied");

  private final FakeOpa opa = new FakeOpa(new ExamplePolicy());
  private Authorization authorization;
  private ServedTransports doors;

  @AfterEach
  void close() {
    doors.close();
    authorization.close();
    opa.close();
  }

  /** For a caller who may read prices, and do all in the queues of the shop. */
  private void open(boolean coversStats) throws Exception {
    authorization =
        Authorization.of(
            new AuthorizationConfig(
                AuthorizationConfig.Mode.OPAHTTP,
                opa.url(),
                AuthorizationConfig.PATH_DEFAULT,
                AuthorizationConfig.TIMEOUT_DEFAULT,
                true,
                coversStats));
    doors = new ServedTransports(authorization::guard, Optional.of("Bearer token-of-ann"));
  }

  private static TransportRequest request(String method, Message.Builder message) {
    return TransportRequest.of(method, message);
  }

  private static ModifyRequest.Builder modify() {
    return ModifyRequest.newBuilder().setClaimantId("ann#1");
  }

  private static ModifyRequest.Builder allowed() {
    return modify().addInserts(V1.data("/shop/orders"));
  }

  /** How docs may be asked for, or changed. */
  private static List<TransportRequest> ofDocs(String namespace) {
    Doc doc =
        Doc.newBuilder().setNamespace(namespace).setId("none").setKey("k").setVersion(1).build();
    return List.of(
        request(
            "Docs",
            DocsRequest.newBuilder().setQuery(DocQuery.newBuilder().setNamespace(namespace))),
        request("ClaimDocs", V1Docs.claim("ann#1", namespace, "k", 1)),
        request("Modify", allowed().addDocInserts(V1Docs.data(namespace, "k", "s"))),
        request("Modify", allowed().addDocChanges(V1Docs.change(doc))),
        request("Modify", allowed().addDocDeletes(V1Docs.ref(doc))),
        request("Modify", allowed().addDocDepends(V1Docs.ref(doc))));
  }

  @Test
  void shouldDenyDocsByEachWay() throws Exception {
    open(false);
    for (TransportRequest request : ofDocs("secret")) {
      for (Transport way : NEWER) {
        way.ask(doors, request)
            .ifPresent(answer -> assertThat(answer).as("%s %s", way, request).isEqualTo(DENIED));
      }
    }
    assertThat(opa.last().body().at("/input/namespaces/0/exact").asText()).isEqualTo("secret");
    for (Transport way : NEWER) {
      TransportRequest docs =
          request(
              "Docs",
              DocsRequest.newBuilder().setQuery(DocQuery.newBuilder().setNamespace("prices")));
      way.ask(doors, docs).ifPresent(answer -> assertThat(answer).isEqualTo(TransportAnswer.OK));
      TransportRequest claim = request("ClaimDocs", V1Docs.claim("ann#1", "prices", "k", 1));
      way.ask(doors, claim).ifPresent(answer -> assertThat(answer).isEqualTo(DENIED));
      TransportRequest depend =
          request(
              "Modify",
              allowed().addDocDepends(DocID.newBuilder().setNamespace("prices").setId("none")));
      // It may look there, and sees that there is none.
      assertThat(way.ask(doors, depend).orElseThrow().code())
          .isIn(Status.Code.NOT_FOUND, Status.Code.ABORTED);
    }
    assertNothingDone();
  }

  @Test
  void shouldDenyStatisticsByEachWay() throws Exception {
    open(true);
    List<TransportRequest> secret =
        List.of(
            request("NamespaceStats", NamespacesRequest.newBuilder()),
            request("NamespaceStats", NamespacesRequest.newBuilder().addMatchExact("secret")),
            request("NamespaceStats", NamespacesRequest.newBuilder().addMatchPrefix("pri")),
            request("Queues", QueuesRequest.newBuilder()),
            request("QueueStats", QueuesRequest.newBuilder().addMatchPrefix("/sh")));
    List<TransportRequest> open =
        List.of(
            request("NamespaceStats", NamespacesRequest.newBuilder().addMatchExact("prices")),
            request("Queues", QueuesRequest.newBuilder().addMatchPrefix("/shop/")),
            request("QueueStats", QueuesRequest.newBuilder().addMatchExact("/public")));
    for (Transport way : Transport.values()) {
      for (TransportRequest request : secret) {
        way.ask(doors, request)
            .ifPresent(answer -> assertThat(answer).as("%s %s", way, request).isEqualTo(DENIED));
      }
      for (TransportRequest request : open) {
        way.ask(doors, request)
            .ifPresent(
                answer ->
                    assertThat(answer).as("%s %s", way, request).isEqualTo(TransportAnswer.OK));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldAskAboutStatisticsIfItIsToldTo(boolean coversStats) throws Exception {
    open(coversStats);
    for (Transport way : NEWER) {
      TransportRequest stats = request("NamespaceStats", NamespacesRequest.newBuilder());
      way.ask(doors, stats)
          .ifPresent(
              answer ->
                  assertThat(answer.code() == Status.Code.PERMISSION_DENIED)
                      .isEqualTo(coversStats));
    }
  }

  @Test
  void shouldDenyQueuesByEachWay() throws Exception {
    open(false);
    List<TransportRequest> requests =
        List.of(
            request("TryClaim", V1.claim(ANYBODY, "/secret")),
            request("Claim", V1.claim(ANYBODY, "/secret")),
            request("Modify", modify().setClaimantId(ANYBODY).addInserts(V1.data("/secret"))),
            request("Tasks", TasksRequest.newBuilder().setQueue("/secret")));
    for (Transport way : Transport.values()) {
      for (TransportRequest request : requests) {
        way.ask(doors, request)
            .ifPresent(answer -> assertThat(answer).as("%s %s", way, request).isEqualTo(DENIED));
      }
    }
    assertNothingDone();
  }

  @Test
  void shouldSayWhatIsDenied() throws Exception {
    open(false);
    ModifyRequest request = modify().addInserts(V1.data("/secret")).build();
    AuthzDep insert =
        AuthzDep.newBuilder().setExact("/secret").addActions(ActionType.INSERT).build();
    AuthzDep user = AuthzDep.newBuilder().addActions(ActionType.DETAIL).setMsg("User: ann").build();
    JsonNode json = RequestJson.of(request).orElseThrow();

    HttpResponse<byte[]> rest = Transport.rest(doors, "Modify", json);
    assertThat(rest.statusCode()).isEqualTo(403);
    assertThat(new String(rest.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"code\":7,\"message\":\"queue action denied\",\"details\":["
                + "{\"@type\":\"type.googleapis.com/api.AuthzDep\",\"actions\":[\"DETAIL\"],"
                + "\"msg\":\"User: ann\"},"
                + "{\"@type\":\"type.googleapis.com/api.AuthzDep\",\"actions\":[\"INSERT\"],"
                + "\"exact\":\"/secret\"}]}");

    HttpResponse<byte[]> connect =
        doors.post(
            "/api.EntroQ/Modify",
            "application/json",
            json.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(connect.statusCode()).isEqualTo(403);
    JsonNode error = JsonMapper.builder().build().readTree(connect.body());
    assertThat(error.get("code").asText()).isEqualTo("permission_denied");
    assertThat(error.get("message").asText()).isEqualTo("queue action denied");
    assertThat(error.get("details"))
        .extracting(detail -> detail.get("type").asText())
        .containsExactly("api.AuthzDep", "api.AuthzDep");
    assertThat(
            AuthzDep.parseFrom(Base64.getDecoder().decode(error.at("/details/1/value").asText())))
        .isEqualTo(insert);

    StreamError streamed = doors.ask(StreamRequest.newBuilder().setModify(request)).getError();
    assertThat(streamed.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED.value());
    assertThat(streamed.getDenialsList()).containsExactly(user, insert);
    assertThat(streamed.getDependenciesList()).isEmpty();
    assertNothingDone();
  }

  @Test
  void shouldDenyInTheEndOfTheStreamOfConnect() throws Exception {
    open(false);
    byte[] json = "{\"queue\":\"/secret\"}".getBytes(StandardCharsets.UTF_8);
    byte[] envelope = new byte[json.length + 5];
    envelope[4] = (byte) json.length;
    System.arraycopy(json, 0, envelope, 5, json.length);
    HttpResponse<byte[]> response =
        doors.post("/api.EntroQ/StreamTasks", "application/connect+json", envelope);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()[0]).isEqualTo((byte) 2);
    JsonNode end =
        JsonMapper.builder().build().readTree(response.body(), 5, response.body().length - 5);
    assertThat(end.at("/error/code").asText()).isEqualTo("permission_denied");
    assertThat(end.at("/error/message").asText()).isEqualTo("queue action denied");
    assertThat(end.at("/error/details")).hasSize(2);
  }

  /** Also nothing of what was allowed by itself. */
  private void assertNothingDone() {
    opa.decide(input -> JsonMapper.builder().build().createObjectNode().put("allow", true));
    V1 v1 = new V1(doors.client);
    assertThat(v1.queues(QueuesRequest.newBuilder())).isEmpty();
    assertThat(new V1Docs(doors.client).namespaces(NamespacesRequest.newBuilder())).isEmpty();
  }
}
