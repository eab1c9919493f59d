package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.wire.published.v1.ActionType;
import io.entroq.codec.wire.published.v1.AuthzDep;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ModifyDep;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.codec.wire.published.v1.TasksResponse;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.testing.Await;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Both APIs over loopback, with the policy that comes along as the judge. */
class AuthorizationTest {
  private final FakeOpa opa = new FakeOpa(new ExamplePolicy());
  private final Authorization authorization = Authorization.of(config(false));
  private final ServedQueue served = new ServedQueue(authorization::guard);
  private final List<WireClient> clients = new ArrayList<>();
  private final V1 ann = client("Bearer token-of-ann");
  private final V1 root = client("Bearer token-of-root");

  private AuthorizationConfig config(boolean coversAll) {
    return new AuthorizationConfig(
        AuthorizationConfig.Mode.OPAHTTP,
        opa.url(),
        AuthorizationConfig.PATH_DEFAULT,
        AuthorizationConfig.TIMEOUT_DEFAULT,
        true,
        coversAll);
  }

  private V1 client(String header) {
    WireClient client = new WireClient(served.server.port(), header);
    clients.add(client);
    return new V1(client);
  }

  @AfterEach
  void close() {
    clients.forEach(WireClient::close);
    served.close();
    authorization.close();
    opa.close();
  }

  @Test
  void shouldLetThroughWhatIsAllowed() throws Exception {
    Future<?> waiting = ann.beginClaim(V1.claim("ann#1", "/shop/orders", "/users/ann/x").build());
    Await.until("the claim is asked about", () -> opa.asked.size() == 1);
    Task task = ann.modify(inserting("/shop/orders").setClaimantId("ann#1")).getInserted(0);
    waiting.get();
    assertThat(ann.tryClaim("ann#1", "/shop/orders").hasTask()).isFalse();
    assertThat(ann.tasks(TasksRequest.newBuilder().setQueue("/shop/orders"))).hasSize(1);
    assertThat(ann.tasks(TasksRequest.newBuilder().addTaskId(task.getId()))).hasSize(1);
    assertThat(stream(ann, TasksRequest.newBuilder().addTaskId(task.getId()))).hasSize(1);
    assertThat(opa.asked).hasSize(6);
    assertThat(opa.asked).allMatch(asked -> asked.authorization().equals("Bearer token-of-ann"));
    assertThat(opa.asked.get(0).body().toString())
        .isEqualTo(
            "{\"input\":{\"authz\":{\"type\":\"Bearer\",\"credentials\":\"token-of-ann\"},"
                + "\"claimant_id\":\"ann#1\",\"queues\":["
                + "{\"exact\":\"/shop/orders\",\"actions\":[\"CLAIM\"]},"
                + "{\"exact\":\"/users/ann/x\",\"actions\":[\"CLAIM\"]}]}}");
  }

  @Test
  void shouldSayWhatIsNotAllowed() throws Exception {
    List<AuthzDep> details =
        denied(() -> ann.tryClaim("ann#1", "/shop/orders", "/mail/outbox", "/secret"));
    assertThat(details)
        .containsExactly(
            text("User: ann"),
            dep("/mail/outbox", ActionType.CLAIM),
            dep("/secret", ActionType.CLAIM));
    denied(() -> ann.claim(V1.claim("ann#1", "/secret").build()));
    denied(() -> ann.modify(inserting("/secret")));
    denied(() -> ann.tasks(TasksRequest.newBuilder().setQueue("/secret")));
    denied(() -> stream(ann, TasksRequest.newBuilder().setQueue("/secret")));
    assertThat(denied(() -> ann.tryClaim("bob#1", "/shop/orders")))
        .containsExactly(
            text("User: ann"),
            text("claimant \"bob#1\" is not the caller's: it has to begin with his name and #"));
    assertThat(denied(() -> new V1(served.client).tryClaim("x", "/shop/orders")))
        .contains(dep("/shop/orders", ActionType.CLAIM));
    assertThat(served.server.blockedClaims()).isZero();
  }

  /** The engine looks for it there only. */
  @Test
  void shouldJudgeATaskByTheQueueThatIsNamed() throws Exception {
    Task secret = root.modify(inserting("/secret")).getInserted(0);
    TaskID lie = V1.ref(secret).setQueue("/shop/orders").build();
    for (ModifyRequest.Builder request : using(lie, "/shop/orders")) {
      StatusRuntimeException missing = ServedQueue.refusal(() -> ann.modify(request));
      assertThat(missing.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(outcome(() -> ann.modify(request))).doesNotContain("/secret");
      assertThat(opa.last().body().at("/input/queues").toString()).contains("/shop/orders");
    }
    for (TaskID named : List.of(V1.ref(secret).build(), V1.ref(secret).clearQueue().build())) {
      for (ModifyRequest.Builder request : using(named, "/shop/orders")) {
        denied(() -> ann.modify(request));
      }
    }
    denied(() -> ann.tasks(TasksRequest.newBuilder().addTaskId(secret.getId())));
    // With a queue beside the ids only tasks of that queue are shown.
    assertThat(
            ann.tasks(TasksRequest.newBuilder().setQueue("/shop/orders").addTaskId(secret.getId())))
        .isEmpty();
    assertThat(root.task(secret.getId())).isEqualTo(secret);
  }

  /** Requests that delete, need, change and move a task. */
  private static List<ModifyRequest.Builder> using(TaskID task, String to) {
    List<ModifyRequest.Builder> requests =
        new ArrayList<>(
            List.of(
                ModifyRequest.newBuilder().addDeletes(task),
                ModifyRequest.newBuilder().addDepends(task)));
    for (String queue : List.of(task.getQueue(), to)) {
      ModifyRequest.Builder change = ModifyRequest.newBuilder();
      change.addChangesBuilder().setOldId(task).setNewData(V1.data(queue));
      requests.add(change);
    }
    return requests;
  }

  @Test
  void shouldShowWhatMayNotBeSeenAsIfItDidNotExist() throws Exception {
    Task own = root.modify(inserting("/shop/orders")).getInserted(0);
    TaskData.Builder named = V1.data("/secret").setId("hidden");
    Task secret = root.modify(ModifyRequest.newBuilder().addInserts(named)).getInserted(0);
    List<Executable> requests = requests("hidden", own);
    List<String> hidden = outcomes(requests);
    assertThat(root.task("hidden")).isEqualTo(secret);
    root.modify(ModifyRequest.newBuilder().addDeletes(V1.ref(secret)));
    assertThat(hidden).isEqualTo(outcomes(requests));
    assertThat(hidden).noneMatch(said -> said.contains("/secret"));
    assertThat(hidden).anyMatch(said -> said.contains(own.getId()));
  }

  /** What names a task of which nobody has told Ann. */
  private List<Executable> requests(String id, Task own) {
    List<Executable> requests = new ArrayList<>();
    for (TasksRequest.Builder listing :
        List.of(
            TasksRequest.newBuilder().addTaskId(id),
            TasksRequest.newBuilder().addTaskId(id).addTaskId(own.getId()),
            TasksRequest.newBuilder().addTaskId(id).addTaskId(own.getId()).setLimit(1),
            TasksRequest.newBuilder().addTaskId(id).setQueue("/shop/orders"))) {
      requests.add(() -> answer(ann.tasks(listing)));
      requests.add(() -> answer(stream(ann, listing)));
    }
    for (int version : new int[] {0, 1}) {
      for (String queue : List.of("", "/shop/orders", "/secre")) {
        TaskID task = TaskID.newBuilder().setId(id).setVersion(version).setQueue(queue).build();
        TaskID with = V1.ref(own).clearQueue().setVersion(7).build();
        requests.add(() -> ann.modify(ModifyRequest.newBuilder().addDeletes(task)));
        requests.add(() -> ann.modify(ModifyRequest.newBuilder().addDepends(task)));
        requests.add(
            () -> ann.modify(ModifyRequest.newBuilder().addDepends(with).addDeletes(task)));
        for (String to : List.of("/shop/orders", "/other")) {
          ModifyRequest.Builder change = ModifyRequest.newBuilder().addDepends(with);
          change.addChangesBuilder().setOldId(task).setNewData(V1.data(to));
          requests.add(() -> ann.modify(change));
        }
      }
    }
    return requests;
  }

  /** Tells of an answer as of a refusal. */
  private static void answer(Object answer) {
    throw Status.OK.withDescription(answer.toString()).asRuntimeException();
  }

  private static List<String> outcomes(List<Executable> requests)
      throws InvalidProtocolBufferException {
    List<String> outcomes = new ArrayList<>();
    for (Executable request : requests) {
      outcomes.add(outcome(request));
    }
    return outcomes;
  }

  private static String outcome(Executable request) throws InvalidProtocolBufferException {
    StatusRuntimeException e = ServedQueue.refusal(request);
    StringBuilder outcome = new StringBuilder(e.getStatus().toString());
    if (e.getTrailers() != null) {
      for (Any detail : ServedQueue.details(e)) {
        outcome.append(
            detail.is(AuthzDep.class)
                ? detail.unpack(AuthzDep.class)
                : detail.unpack(ModifyDep.class));
      }
    }
    return outcome.toString();
  }

  @Test
  void shouldTellWhereAnIdIsTakenOnlyToThoseWhoMayReadThere() throws Exception {
    for (String queue : List.of("/shop/orders", "/secret")) {
      Task task =
          root.modify(ModifyRequest.newBuilder().addInserts(V1.data(queue).setId("in" + queue)))
              .getInserted(0);
      root.modify(ModifyRequest.newBuilder().addChanges(V1.change(task)));
    }
    StatusRuntimeException e =
        ServedQueue.refusal(
            () ->
                ann.modify(
                    ModifyRequest.newBuilder()
                        .addInserts(V1.data("/shop/orders").setId("in/shop/orders"))
                        .addInserts(V1.data("/shop/orders").setId("in/secret"))));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    List<TaskID> collisions = new ArrayList<>();
    for (Any detail : ServedQueue.details(e)) {
      if (detail.unpack(ModifyDep.class).hasId()) {
        collisions.add(detail.unpack(ModifyDep.class).getId());
      }
    }
    assertThat(collisions)
        .containsExactly(
            TaskID.newBuilder()
                .setId("in/shop/orders")
                .setVersion(1)
                .setQueue("/shop/orders")
                .build(),
            TaskID.newBuilder().setId("in/secret").build());
  }

  @Test
  void shouldJudgeAnUnknownTaskByTheQueueThatIsSaid() throws Exception {
    TaskID none = TaskID.newBuilder().setId("none").setVersion(7).build();
    assertThat(denied(() -> ann.modify(ModifyRequest.newBuilder().addDeletes(none))))
        .contains(AuthzDep.newBuilder().addActions(ActionType.DELETE).build());
    denied(() -> ann.tasks(TasksRequest.newBuilder().addTaskId("none")));
    assertThat(opa.last().body().at("/input/queues").toString())
        .isEqualTo("[{\"actions\":[\"READ\"]}]");
    assertThat(root.tasks(TasksRequest.newBuilder().addTaskId("none"))).isEmpty();

    TaskID said = none.toBuilder().setQueue("/shop/orders").build();
    StatusRuntimeException missing =
        ServedQueue.refusal(() -> ann.modify(ModifyRequest.newBuilder().addDeletes(said)));
    assertThat(missing.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(ServedQueue.details(missing).get(1).getValue().toString("ISO-8859-1"))
        .contains("none", "/shop/orders");
  }

  @Test
  void shouldAskForTheClaimInsideAModify() throws Exception {
    ModifyRequest.Builder request = inserting("/shop/orders");
    request.setThenClaim(ClaimRequest.newBuilder().addQueues("/secret").setDurationMs(1_000));
    assertThat(denied(() -> ann.modify(request))).contains(dep("/secret", ActionType.CLAIM));
  }

  @Test
  void shouldAskNothingOfStatisticsUnlessItIsToldTo() throws Exception {
    root.modify(inserting("/secret"));
    int asked = opa.asked.size();
    assertThat(ann.queues(QueuesRequest.newBuilder())).hasSize(1);
    assertThat(opa.asked).hasSize(asked);

    try (Authorization covering = Authorization.of(config(true));
        ServedQueue other = new ServedQueue(covering::guard);
        WireClient client = new WireClient(other.server.port(), "Bearer token-of-ann")) {
      V1 v1 = new V1(client);
      assertThat(denied(() -> v1.queues(QueuesRequest.newBuilder())))
          .containsExactly(
              text("User: ann"), AuthzDep.newBuilder().addActions(ActionType.READ).build());
      assertThat(v1.stats(QueuesRequest.newBuilder().addMatchPrefix("/shop/"))).isEmpty();
      denied(() -> v1.stats(QueuesRequest.newBuilder().addMatchPrefix("/sh")));
      assertThat(v1.queues(QueuesRequest.newBuilder().addMatchExact("/public"))).isEmpty();
    }
  }

  @Test
  void shouldSayInBothApisWhoDenies() throws Exception {
    opa.decide(input -> input.path("claimant_id"));
    StatusRuntimeException e = ServedQueue.refusal(() -> ann.tryClaim("x", "/shop/orders"));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(e.getStatus().getDescription()).startsWith("unknown authz error:");
    opa.decide(new ExamplePolicy());
    StatusRuntimeException v0 =
        ServedQueue.refusal(
            () ->
                ann.client()
                    .call(
                        "proto.EntroQ/TryClaim",
                        io.entroq.codec.wire.published.v0.ClaimRequest.newBuilder()
                            .setClaimantId("00000000-0000-0000-0000-000000000001")
                            .addQueues("/secret")
                            .build(),
                        io.entroq.codec.wire.published.v0.ClaimResponse.getDefaultInstance()));
    assertThat(v0.getStatus().getDescription()).isEqualTo("queue action denied");
    assertThat(ServedQueue.details(v0))
        .extracting(Any::getTypeUrl)
        .containsOnly("type.googleapis.com/proto.AuthzDep");
    // Claimants of that API are no names.
    JsonNode input = opa.last().body().get("input");
    assertThat(input.has("claimant_id")).isFalse();
    assertThat(input.at("/authz/type").asText()).isEqualTo("Bearer");
  }

  private static List<AuthzDep> denied(Executable call) throws InvalidProtocolBufferException {
    StatusRuntimeException e = ServedQueue.refusal(call);
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(e.getStatus().getDescription()).isEqualTo("queue action denied");
    List<AuthzDep> details = new ArrayList<>();
    for (Any detail : ServedQueue.details(e)) {
      assertThat(detail.getTypeUrl()).isEqualTo("type.googleapis.com/api.AuthzDep");
      details.add(AuthzDep.parseFrom(detail.getValue()));
    }
    return details;
  }

  private static AuthzDep dep(String queue, ActionType action) {
    return AuthzDep.newBuilder().setExact(queue).addActions(action).build();
  }

  private static AuthzDep text(String message) {
    return AuthzDep.newBuilder().addActions(ActionType.DETAIL).setMsg(message).build();
  }

  private static ModifyRequest.Builder inserting(String queue) {
    return ModifyRequest.newBuilder().addInserts(V1.data(queue));
  }

  private static List<TasksResponse> stream(V1 client, TasksRequest.Builder request) {
    return client.client().stream(
        "api.EntroQ/StreamTasks", request.build(), TasksResponse.getDefaultInstance());
  }
}
