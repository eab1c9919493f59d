package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Value;
import io.entroq.api.Change;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.server.settings.Settings;
import io.entroq.service.grpc.RawStream;
import io.entroq.service.grpc.WireClient;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients of each protocol are told about the tasks that their inserts into topics make. */
class TopicClientsTest {
  private static final String ID = "12345678-9abc-4def-8123-456789abcdef";
  private static final String CLAIMANT = "a0000000-0000-4000-8000-00000000000a";

  private final EntroqServer server =
      EntroqServer.start(
          Settings.of(
              List.of(),
              Optional.empty(),
              Map.of("ENTROQ_HOST", "127.0.0.1", "ENTROQ_PORT", "0", "ENTROQ_HTTP_PORT", "0")));

  private final EntroQ queue = EntroQ.connect("localhost:" + server.port());

  /** The task that a mixed modification moves. */
  private Task moved;

  @BeforeEach
  void fill() {
    queue.policies().put(QueuePolicy.of("T").groups("b", "a"));
    // Clients of v0 know no other ids than UUIDs.
    Insert old = Insert.into("from").withId("22345678-9abc-4def-8123-456789abcdef");
    moved = queue.modify(Modification.insert(old)).orThrow().inserted().get(0);
  }

  @AfterEach
  void close() {
    queue.close();
    server.close();
  }

  private static TaskData.Builder data(String name, int number) {
    return TaskData.newBuilder().setQueue(name).setValue(Value.newBuilder().setNumberValue(number));
  }

  private ModifyRequest.Builder mixed() {
    return ModifyRequest.newBuilder()
        .setClaimantId(CLAIMANT)
        .addInserts(data("plain", 1))
        .addInserts(data("T", 2).setId(ID).setAttempt(3).setErr("e"))
        .addInserts(data("T", 3))
        .addInserts(data("plain", 4))
        .addChanges(
            TaskChange.newBuilder()
                .setOldId(
                    TaskID.newBuilder().setId(moved.id().toString()).setVersion(0).setQueue("from"))
                .setNewData(data("to", 5)));
  }

  /** Each answer has all six, of which those of the topic exist as it says. */
  private void assertStored(List<String> queues, List<String> ids) {
    assertThat(queues).containsExactly("plain", "T/b", "T/a", "T/b", "T/a", "plain");
    for (int i = 0; i < ids.size(); i++) {
      List<Task> found = queue.tasks(TaskQuery.withIds(TaskId.of(ids.get(i))));
      assertThat(found).extracting(Task::queue).containsExactly(queues.get(i));
    }
    assertThat(queue.tasks(TaskQuery.in("T"))).isEmpty();
    assertThat(queue.tasks(TaskQuery.in("to"))).hasSize(1);
  }

  private static void assertAnswered(ModifyResponse response) {
    assertThat(response.getInsertedList())
        .extracting(task -> task.getValue().getNumberValue())
        .containsExactly(1.0, 2.0, 2.0, 3.0, 3.0, 4.0);
    assertThat(response.getInserted(1).getAttempt()).isEqualTo(3);
    assertThat(response.getInserted(2).getErr()).isEqualTo("e");
    assertThat(response.getInserted(1).getId()).isNotEqualTo(ID);
    assertThat(response.getChangedList()).singleElement().matches(t -> t.getQueue().equals("to"));
  }

  @Test
  void shouldAnswerAClientOfProtocolOne() {
    try (WireClient one = WireClient.declaring(server.port(), "1")) {
      assertAnswersAndCollides(one);
    }
  }

  @Test
  void shouldAnswerAClientOfProtocolTwo() {
    try (WireClient two = WireClient.declaring(server.port(), "2")) {
      assertAnswersAndCollides(two);
    }
  }

  private void assertAnswersAndCollides(WireClient client) {
    ModifyResponse response = modify(client, mixed());
    assertAnswered(response);
    assertStored(
        response.getInsertedList().stream().map(task -> task.getQueue()).toList(),
        response.getInsertedList().stream().map(task -> task.getId()).toList());
    assertThatThrownBy(
            () ->
                modify(
                    client,
                    ModifyRequest.newBuilder()
                        .setClaimantId(CLAIMANT)
                        .addInserts(data("T", 2).setId(ID))))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
  }

  private static ModifyResponse modify(WireClient client, ModifyRequest.Builder request) {
    return client.call("api.EntroQ/Modify", request.build(), ModifyResponse.getDefaultInstance());
  }

  /** It knows neither versions of the protocol nor topics, and gets fields that it knows. */
  @Test
  void shouldAnswerAClientThatDeclaresNothing() {
    try (WireClient old = new WireClient(server.port())) {
      assertAnswersAndCollides(old);
    }
  }

  @Test
  void shouldAnswerAClientOfV0() {
    io.entroq.codec.wire.published.v0.ModifyRequest request =
        io.entroq.codec.wire.published.v0.ModifyRequest.newBuilder()
            .setClaimantId(CLAIMANT)
            .addInserts(oldData("plain", "1"))
            .addInserts(oldData("T", "2").setId(ID).setAttempt(3).setErr("e"))
            .addInserts(oldData("T", "3"))
            .addInserts(oldData("plain", "4"))
            .addChanges(
                io.entroq.codec.wire.published.v0.TaskChange.newBuilder()
                    .setOldId(
                        io.entroq.codec.wire.published.v0.TaskID.newBuilder()
                            .setId(moved.id().toString())
                            .setQueue("from"))
                    .setNewData(oldData("to", "5")))
            .build();
    try (WireClient old = new WireClient(server.port())) {
      io.entroq.codec.wire.published.v0.ModifyResponse response = modifyByV0(old, request);
      assertThat(response.getInsertedList())
          .extracting(task -> task.getValue().toStringUtf8())
          .containsExactly("1", "2", "2", "3", "3", "4");
      assertThat(response.getInserted(2).getErr()).isEqualTo("e");
      assertThat(response.getUnknownFields().asMap()).isEmpty();
      assertThat(response.getInsertedList())
          .allMatch(task -> task.getUnknownFields().asMap().isEmpty())
          .allMatch(task -> UUID.fromString(task.getId()).toString().equals(task.getId()));
      assertStored(
          response.getInsertedList().stream().map(task -> task.getQueue()).toList(),
          response.getInsertedList().stream().map(task -> task.getId()).toList());
      assertThatThrownBy(
              () ->
                  modifyByV0(
                      old,
                      io.entroq.codec.wire.published.v0.ModifyRequest.newBuilder()
                          .setClaimantId(CLAIMANT)
                          .addInserts(oldData("T", "2").setId(ID))
                          .build()))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
    }
  }

  private static io.entroq.codec.wire.published.v0.TaskData.Builder oldData(
      String name, String value) {
    return io.entroq.codec.wire.published.v0.TaskData.newBuilder()
        .setQueue(name)
        .setValue(ByteString.copyFromUtf8(value));
  }

  private static io.entroq.codec.wire.published.v0.ModifyResponse modifyByV0(
      WireClient client, io.entroq.codec.wire.published.v0.ModifyRequest request) {
    return client.call(
        "proto.EntroQ/Modify",
        request,
        io.entroq.codec.wire.published.v0.ModifyResponse.getDefaultInstance());
  }

  @Test
  void shouldAnswerOverAStream() {
    try (WireClient client = new WireClient(server.port());
        RawStream stream = RawStream.open(client, "0123456789abcdef")) {
      stream.send(StreamRequest.newBuilder().setNumber(1).setModify(mixed()));
      ModifyResponse response = stream.response().getModify();
      assertAnswered(response);
      assertStored(
          response.getInsertedList().stream().map(task -> task.getQueue()).toList(),
          response.getInsertedList().stream().map(task -> task.getId()).toList());
      stream.send(
          StreamRequest.newBuilder()
              .setNumber(2)
              .setModify(
                  ModifyRequest.newBuilder()
                      .setClaimantId(CLAIMANT)
                      .addInserts(data("T", 2).setId(ID))));
      assertThat(stream.response().getError().getCode()).isEqualTo(Status.Code.NOT_FOUND.value());
    }
  }

  @Test
  void shouldAnswerOverHttp() throws Exception {
    String body =
        """
        {"claimantId":"%s",
         "inserts":[{"queue":"plain","value":1},{"queue":"T","id":"%s","value":2},
                    {"queue":"T","value":3},{"queue":"plain","value":4}],
         "changes":[{"oldId":{"id":"%s","version":0,"queue":"from"},
                     "newData":{"queue":"to","value":5}}]}
        """
            .formatted(CLAIMANT, ID, moved.id());
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://127.0.0.1:%d/api/v0/modify".formatted(server.httpPort())))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    JsonNode inserted = new JsonMapper().readTree(response.body()).get("inserted");
    assertStored(inserted.findValuesAsText("queue"), inserted.findValuesAsText("id"));
  }

  @Test
  void shouldAnswerTheJavaClientAndNameTheCopyInTheWay() {
    Insert insert = Insert.into("T").withId(TaskId.of(ID)).withValue("x");
    ModifyResult.Committed committed =
        queue
            .modify(
                Modification.builder()
                    .insert("plain", "1")
                    .insert(insert)
                    .insert("T", "3")
                    .insert("plain", "4")
                    .change(Change.of(moved).moveTo("to"))
                    .build())
            .orThrow();
    assertStored(
        committed.inserted().stream().map(Task::queue).toList(),
        committed.inserted().stream().map(task -> task.id().toString()).toList());
    ModifyResult again = queue.modify(Modification.insert(insert));
    assertThat(again)
        .isInstanceOfSatisfying(
            ModifyResult.DependencyFailure.class,
            failure ->
                assertThat(failure.collisions())
                    .singleElement()
                    .matches(
                        task ->
                            task.id().equals(committed.inserted().get(1).id())
                                && task.queue().equals("T/b")));
  }
}
