package io.entroq.server.service.grpc;

import static io.entroq.server.service.grpc.ServedQueue.refusal;
import static io.entroq.server.service.grpc.ServedQueue.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v0.ActionType;
import io.entroq.codec.wire.published.v0.ClaimRequest;
import io.entroq.codec.wire.published.v0.ClaimResponse;
import io.entroq.codec.wire.published.v0.ModifyDep;
import io.entroq.codec.wire.published.v0.ModifyRequest;
import io.entroq.codec.wire.published.v0.ModifyResponse;
import io.entroq.codec.wire.published.v0.QueueStats;
import io.entroq.codec.wire.published.v0.QueuesRequest;
import io.entroq.codec.wire.published.v0.QueuesResponse;
import io.entroq.codec.wire.published.v0.Task;
import io.entroq.codec.wire.published.v0.TaskChange;
import io.entroq.codec.wire.published.v0.TaskData;
import io.entroq.codec.wire.published.v0.TaskID;
import io.entroq.codec.wire.published.v0.TasksRequest;
import io.entroq.codec.wire.published.v0.TasksResponse;
import io.entroq.codec.wire.published.v0.TimeRequest;
import io.entroq.codec.wire.published.v0.TimeResponse;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The v0 API over loopback, as its clients use it, and what it shows of what came by the other. */
@Timeout(60)
class V0ServiceTest {
  private static final String NOBODY = "00000000-0000-0000-0000-000000000000";
  private static final String ANN = "a0000000-0000-4000-8000-00000000000a";
  private static final String BOB = "b0000000-0000-4000-8000-00000000000b";
  private static final String ID = "12345678-9abc-4def-8123-456789abcdef";

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldTakeATaskThroughItsLife() {
    Task inserted = insert(data("q").setId(ID).setValue(bytes("any\0thing")));
    assertThat(inserted.getId()).isEqualTo(ID);
    assertThat(inserted.getClaimantId()).isEqualTo(ANN);

    Task claimed = tryClaim(BOB, "q").getTask();
    assertThat(claimed.getVersion()).isEqualTo(1);
    assertThat(claimed.getClaimantId()).isEqualTo(BOB);
    assertThat(claimed.getValue()).isEqualTo(bytes("any\0thing"));

    Task changed =
        modify(
                ModifyRequest.newBuilder()
                    .setClaimantId(BOB)
                    .addChanges(
                        TaskChange.newBuilder()
                            .setOldId(TaskID.newBuilder().setId(ID).setVersion(1))
                            .setNewData(data("moved").setId(ID))))
            .getChanged(0);
    // Always the requester, whenever it arrives.
    assertThat(changed.getClaimantId()).isEqualTo(BOB);
    assertThat(changed.getValue()).isEmpty();
    assertThat(changed.getQueue()).isEqualTo("moved");

    modify(
        ModifyRequest.newBuilder()
            .setClaimantId(BOB)
            .addDeletes(TaskID.newBuilder().setId(ID).setVersion(2)));
    assertThat(queues("QueueStats")).isEmpty();
  }

  @Test
  void shouldReadUuidsInEveryForm() {
    String hex = ID.replace("-", "");
    for (String form :
        List.of(ID, ID.toUpperCase(Locale.ROOT), hex, "urn:uuid:" + ID, "{" + ID + "}")) {
      Task inserted = insert(data("q").setId(form));
      assertThat(inserted.getId()).isEqualTo(ID);
      assertThat(tasks(TasksRequest.newBuilder().addTaskId(form)))
          .extracting(Task::getId)
          .containsExactly(ID);
      modify(
          ModifyRequest.newBuilder()
              .setClaimantId("{" + ANN + "}")
              .addDeletes(TaskID.newBuilder().setId(form).setQueue("q")));
    }
  }

  @Test
  void shouldMakeIdsWhereNoneOrZeroIsGiven() {
    for (String none : List.of("", NOBODY)) {
      Task inserted = insert(data("q").setId(none));
      assertThat(inserted.getId())
          .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    }
  }

  @Test
  void shouldRefuseWhatIsNoUuid() {
    refuses(() -> insert(data("q").setId("task")), "inserts[0].id", "task");
    refuses(() -> tryClaim("", "q"), "claimant_id");
    refuses(() -> tryClaim("bob", "q"), "claimant_id", "bob");
    refuses(() -> modify(ModifyRequest.newBuilder()), "claimant_id");
    refuses(() -> tasks(TasksRequest.newBuilder().addTaskId(ID).addTaskId("x")), "task_id[1]");
    refuses(() -> tasks(TasksRequest.newBuilder().setQueue("q").setClaimantId("x")), "claimant_id");
    for (String id : List.of("x", "", NOBODY)) {
      TaskID task = TaskID.newBuilder().setId(id).build();
      refuses(() -> modify(by(ANN).addDeletes(task)), "deletes[0].id");
      refuses(() -> modify(by(ANN).addDepends(task)), "depends[0].id");
      refuses(
          () ->
              modify(
                  by(ANN).addChanges(TaskChange.newBuilder().setOldId(task).setNewData(data("q")))),
          "changes[0].old_id.id");
    }
    assertThat(queues("Queues")).isEmpty();
  }

  @Test
  void shouldListForNobodyAsForAll() {
    insert(data("q").setId(ID));
    tryClaim(BOB, "q");
    for (String none : List.of("", NOBODY, BOB)) {
      assertThat(tasks(TasksRequest.newBuilder().setQueue("q").setClaimantId(none))).hasSize(1);
    }
    assertThat(tasks(TasksRequest.newBuilder().setQueue("q").setClaimantId(ANN))).isEmpty();
    assertThat(
            served.client.stream(
                "proto.EntroQ/StreamTasks",
                TasksRequest.newBuilder().setClaimantId(NOBODY).setQueue("q").build(),
                TasksResponse.getDefaultInstance()))
        .hasSize(1);
  }

  @Test
  void shouldCountWhatIsHeldAsClaimed() {
    insert(data("q").setAtMs(System.currentTimeMillis() + 100_000));
    insert(data("q"));
    assertThat(queues("QueueStats"))
        .containsExactly(
            QueueStats.newBuilder()
                .setName("q")
                .setNumTasks(2)
                .setNumAvailable(1)
                .setNumClaimed(1)
                .build());
  }

  @Test
  void shouldNameTheReasonsOfARefusedModify() {
    insert(data("q").setId(ID).setAtMs(System.currentTimeMillis() + 100_000));
    StatusRuntimeException refused =
        refusal(
            () -> modify(by(BOB).addDeletes(TaskID.newBuilder().setId(ID)).addInserts(dataOf(ID))));
    assertThat(ServedQueue.details(refused))
        .allMatch(any -> any.getTypeUrl().equals("type.googleapis.com/proto.ModifyDep"))
        .extracting(any -> ModifyDep.parseFrom(any.getValue()))
        .containsExactlyInAnyOrder(
            ModifyDep.newBuilder().setType(ActionType.DETAIL).build(),
            ModifyDep.newBuilder()
                .setType(ActionType.CLAIM)
                .setId(TaskID.newBuilder().setId(ID))
                .build(),
            ModifyDep.newBuilder()
                .setType(ActionType.INSERT)
                .setId(TaskID.newBuilder().setId(ID).setQueue("q"))
                .build());
  }

  @Test
  void shouldShowEverythingOfTheOtherApi() {
    Value json =
        Value.newBuilder()
            .setStructValue(
                Struct.newBuilder().putFields("n", Value.newBuilder().setNumberValue(1).build()))
            .build();
    v1.modify(
        io.entroq.codec.wire.published.v1.ModifyRequest.newBuilder()
            .setClaimantId("ann#1")
            .addInserts(V1.data("q").setId("0123456789abcdef").setValue(json))
            .addInserts(V1.data("q").setId("odd name")));

    assertThat(tasks(TasksRequest.newBuilder().setQueue("q")))
        .hasSize(2)
        .allMatch(task -> task.getId().length() == 36 && task.getClaimantId().length() == 36);
    Task task =
        tasks(TasksRequest.newBuilder().addTaskId("00000000-0000-0000-0123-456789abcdef")).get(0);
    assertThat(task.getValue()).isEqualTo(bytes("{\"n\":1}"));

    insert(data("q").setId(ID).setValue(bytes(" [1, null] ")));
    assertThat(v1.task(ID).getValue().getListValue().getValuesCount()).isEqualTo(2);
    assertThat(v1.task(ID).getClaimantId()).isEqualTo(ANN);
    insert(data("other").setValue(bytes("not json")));
    assertThat(
            v1.tasks(io.entroq.codec.wire.published.v1.TasksRequest.newBuilder().setQueue("other"))
                .get(0)
                .getValue())
        .isEqualTo(ServedQueue.text("bm90IGpzb24="));
  }

  @Test
  void shouldWorkOnTasksOfTheOtherApi() {
    for (String id : List.of("0123456789abcdef", "odd name")) {
      v1.insert("q", id);
      Task claimed = tryClaim(BOB, "q").getTask();
      assertThat(claimed.getVersion()).isEqualTo(1);
      Task changed =
          modify(
                  by(BOB)
                      .addChanges(
                          TaskChange.newBuilder()
                              .setOldId(TaskID.newBuilder().setId(claimed.getId()).setVersion(1))
                              .setNewData(data("q").setErr("seen"))))
              .getChanged(0);
      assertThat(v1.task(id).getErr()).isEqualTo("seen");
      assertThat(v1.task(id).getClaimantId()).isEqualTo(BOB);
      modify(
          by(BOB)
              .addDeletes(TaskID.newBuilder().setId(changed.getId()).setVersion(2).setQueue("q")));
      assertThat(queues("Queues")).isEmpty();
    }
  }

  @Test
  void shouldTellTheTime() {
    assertThat(
            served
                .client
                .call(
                    "proto.EntroQ/Time",
                    TimeRequest.getDefaultInstance(),
                    TimeResponse.getDefaultInstance())
                .getTimeMs())
        .isPositive();
  }

  private Task insert(TaskData.Builder data) {
    return modify(by(ANN).addInserts(data)).getInserted(0);
  }

  private static ModifyRequest.Builder by(String claimant) {
    return ModifyRequest.newBuilder().setClaimantId(claimant);
  }

  private ModifyResponse modify(ModifyRequest.Builder request) {
    return served.client.call(
        "proto.EntroQ/Modify", request.build(), ModifyResponse.getDefaultInstance());
  }

  private ClaimResponse tryClaim(String claimant, String queue) {
    return served.client.call(
        "proto.EntroQ/TryClaim",
        ClaimRequest.newBuilder()
            .setClaimantId(claimant)
            .addQueues(queue)
            .setDurationMs(30_000)
            .build(),
        ClaimResponse.getDefaultInstance());
  }

  private List<Task> tasks(TasksRequest.Builder request) {
    return served
        .client
        .call("proto.EntroQ/Tasks", request.build(), TasksResponse.getDefaultInstance())
        .getTasksList();
  }

  private List<QueueStats> queues(String method) {
    return served
        .client
        .call(
            "proto.EntroQ/" + method,
            QueuesRequest.getDefaultInstance(),
            QueuesResponse.getDefaultInstance())
        .getQueuesList();
  }

  private static TaskData.Builder data(String queue) {
    return TaskData.newBuilder().setQueue(queue).setAtMs(ServedQueue.GO_NO_TIME_MS);
  }

  private static TaskData.Builder dataOf(String id) {
    return data("elsewhere").setId(id);
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
