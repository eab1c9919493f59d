package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.entroq.codec.wire.published.queues.FullQueue;
import io.entroq.codec.wire.published.stream.StreamError;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.Policy;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TaskID;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue without room is named in a detail of the refusal, by each way. */
class FullQueueTest {
  private static final String QUEUE = "small";
  private static final String NOBODY = "00000000-0000-0000-0000-000000000000";
  private static final FullQueue DETAIL = FullQueue.newBuilder().setQueue(QUEUE).build();
  private static final String REST =
      "[{\"@type\":\"type.googleapis.com/entroq.v1.FullQueue\",\"queue\":\"small\"}]";

  private ServedTransports doors;

  @BeforeEach
  void openWithATaskInASmallQueue() throws Exception {
    doors = new ServedTransports();
    Policy small = Policy.newBuilder().setName(QUEUE).setTasksMax(2).setBytesMax(100).build();
    modify(ModifyRequest.newBuilder().addPolicyPuts(small).addInserts(task("", "t")));
  }

  @AfterEach
  void close() {
    doors.close();
  }

  @Test
  void shouldNameAQueueThatHasTooManyTasks() throws Exception {
    ModifyRequest twoMore = inserts(2, "");
    assertNamed(twoMore, Status.Code.RESOURCE_EXHAUSTED, 429);
    assertNamedInV0(
        io.entroq.codec.wire.published.v0.ModifyRequest.newBuilder()
            .setClaimantId(NOBODY)
            .addInserts(v0Task())
            .addInserts(v0Task())
            .build());
  }

  @Test
  void shouldNameAQueueThatAModifyAloneDoesNotFit() throws Exception {
    assertNamed(inserts(3, ""), Status.Code.INVALID_ARGUMENT, 400);
  }

  /** It stays in its queue, without naming it again. */
  @Test
  void shouldNameTheQueueOfATaskThatGrows() throws Exception {
    ModifyRequest grows =
        ModifyRequest.newBuilder()
            .addChanges(
                TaskChange.newBuilder()
                    .setOldId(TaskID.newBuilder().setId("t").setQueue(QUEUE))
                    .setNewData(TaskData.newBuilder().setErr("e".repeat(99))))
            .build();
    modify(inserts(1, "e".repeat(50)).toBuilder());
    assertNamed(grows, Status.Code.RESOURCE_EXHAUSTED, 429);
  }

  private void assertNamed(ModifyRequest request, Status.Code code, int status) throws Exception {
    assertThat(grpcDetail("api.EntroQ/Modify", request, code)).isEqualTo(DETAIL);

    StreamError streamed = doors.ask(StreamRequest.newBuilder().setModify(request)).getError();
    assertThat(streamed.getCode()).isEqualTo(code.value());
    assertThat(streamed.getFullQueue()).isEqualTo(DETAIL);

    JsonNode json = RequestJson.of(request).orElseThrow();
    HttpResponse<byte[]> rest = Transport.rest(doors, "Modify", json);
    assertThat(rest.statusCode()).isEqualTo(status);
    assertThat(error(rest).get("details")).hasToString(REST);

    HttpResponse<byte[]> connect =
        doors.post(
            "/api.EntroQ/Modify",
            "application/json",
            json.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(connect.statusCode()).isEqualTo(status);
    JsonNode detail = error(connect).at("/details/0");
    assertThat(detail.get("type").asText()).isEqualTo("entroq.v1.FullQueue");
    assertThat(FullQueue.parseFrom(Base64.getDecoder().decode(detail.get("value").asText())))
        .isEqualTo(DETAIL);
  }

  private void assertNamedInV0(Message request) throws Exception {
    assertThat(grpcDetail("proto.EntroQ/Modify", request, Status.Code.RESOURCE_EXHAUSTED))
        .isEqualTo(DETAIL);
  }

  private FullQueue grpcDetail(String method, Message request, Status.Code code) throws Exception {
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> doors.client.call(method, request, ModifyResponse.getDefaultInstance()));
    assertThat(refusal.getStatus().getCode()).as("%s", refusal).isEqualTo(code);
    Any detail = StatusProto.fromThrowable(refusal).getDetails(0);
    assertThat(detail.getTypeUrl()).isEqualTo("type.googleapis.com/entroq.v1.FullQueue");
    return detail.unpack(FullQueue.class);
  }

  private static JsonNode error(HttpResponse<byte[]> response) throws Exception {
    return JsonMapper.builder().build().readTree(response.body());
  }

  private void modify(ModifyRequest.Builder request) {
    ModifyResponse unused =
        doors.client.call(
            "api.EntroQ/Modify", request.build(), ModifyResponse.getDefaultInstance());
  }

  private static ModifyRequest inserts(int count, String err) {
    ModifyRequest.Builder inserts = ModifyRequest.newBuilder();
    for (int i = 0; i < count; i++) {
      inserts.addInserts(task(err, ""));
    }
    return inserts.build();
  }

  private static TaskData.Builder task(String err, String id) {
    return TaskData.newBuilder().setQueue(QUEUE).setErr(err).setId(id);
  }

  private static io.entroq.codec.wire.published.v0.TaskData v0Task() {
    return io.entroq.codec.wire.published.v0.TaskData.newBuilder().setQueue(QUEUE).build();
  }
}
