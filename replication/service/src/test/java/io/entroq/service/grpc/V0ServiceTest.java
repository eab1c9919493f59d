package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.grpc.ServedQueue.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v0.ActionType;
import io.entroq.codec.wire.published.v0.ModifyDep;
import io.entroq.codec.wire.published.v0.ModifyRequest;
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
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The v0 API over loopback, as its clients use it, and what it shows of what came by the other. */
class V0ServiceTest {
  private static final String NOBODY = "00000000-0000-0000-0000-000000000000";
  private static final String ID = "12345678-9abc-4def-8123-456789abcdef";

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);
  private final V0 v0 = new V0(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldTakeATaskThroughItsLife() {
    Task inserted = v0.insert(V0.data("q").setId(ID).setValue(bytes("any\0thing")));
    assertThat(inserted.getId()).isEqualTo(ID);
    assertThat(inserted.getClaimantId()).isEqualTo(V0.ANN);

    Task claimed = v0.tryClaim(V0.BOB, "q").getTask();
    assertThat(claimed.getVersion()).isEqualTo(1);
    assertThat(claimed.getClaimantId()).isEqualTo(V0.BOB);
    assertThat(claimed.getValue()).isEqualTo(bytes("any\0thing"));

    Task changed =
        v0.modify(
                ModifyRequest.newBuilder()
                    .setClaimantId(V0.BOB)
                    .addChanges(
                        TaskChange.newBuilder()
                            .setOldId(TaskID.newBuilder().setId(ID).setVersion(1))
                            .setNewData(V0.data("moved").setId(ID))))
            .getChanged(0);
    // Always the requester, whenever it arrives.
    assertThat(changed.getClaimantId()).isEqualTo(V0.BOB);
    assertThat(changed.getValue()).isEmpty();
    assertThat(changed.getQueue()).isEqualTo("moved");

    v0.modify(
        ModifyRequest.newBuilder()
            .setClaimantId(V0.BOB)
            .addDeletes(TaskID.newBuilder().setId(ID).setVersion(2)));
    assertThat(queues("QueueStats")).isEmpty();
  }

  @Test
  void shouldReadUuidsInEveryForm() {
    String hex = ID.replace("-", "");
    for (String form :
        List.of(ID, ID.toUpperCase(Locale.ROOT), hex, "urn:uuid:" + ID, "{" + ID + "}")) {
      Task inserted = v0.insert(V0.data("q").setId(form));
      assertThat(inserted.getId()).isEqualTo(ID);
      assertThat(tasks(TasksRequest.newBuilder().addTaskId(form)))
          .extracting(Task::getId)
          .containsExactly(ID);
      v0.modify(
          ModifyRequest.newBuilder()
              .setClaimantId("{" + V0.ANN + "}")
              .addDeletes(TaskID.newBuilder().setId(form).setQueue("q")));
    }
  }

  @Test
  void shouldMakeIdsWhereNoneOrZeroIsGiven() {
    for (String none : List.of("", NOBODY)) {
      Task inserted = v0.insert(V0.data("q").setId(none));
      assertThat(inserted.getId())
          .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    }
  }

  @Test
  void shouldRefuseWhatIsNoUuid() {
    refuses(() -> v0.insert(V0.data("q").setId("task")), "inserts[0].id", "task");
    refuses(() -> v0.tryClaim("", "q"), "claimant_id");
    refuses(() -> v0.tryClaim("bob", "q"), "claimant_id", "bob");
    refuses(() -> v0.modify(ModifyRequest.newBuilder()), "claimant_id");
    refuses(() -> tasks(TasksRequest.newBuilder().addTaskId(ID).addTaskId("x")), "task_id[1]");
    refuses(() -> tasks(TasksRequest.newBuilder().setQueue("q").setClaimantId("x")), "claimant_id");
    for (String id : List.of("x", "", NOBODY)) {
      TaskID task = TaskID.newBuilder().setId(id).build();
      refuses(() -> v0.modify(V0.by(V0.ANN).addDeletes(task)), "deletes[0].id");
      refuses(() -> v0.modify(V0.by(V0.ANN).addDepends(task)), "depends[0].id");
      refuses(
          () ->
              v0.modify(
                  V0.by(V0.ANN)
                      .addChanges(TaskChange.newBuilder().setOldId(task).setNewData(V0.data("q")))),
          "changes[0].old_id.id");
    }
    assertThat(queues("Queues")).isEmpty();
  }

  @Test
  void shouldListForNobodyAsForAll() {
    v0.insert(V0.data("q").setId(ID));
    v0.tryClaim(V0.BOB, "q");
    for (String none : List.of("", NOBODY, V0.BOB)) {
      assertThat(tasks(TasksRequest.newBuilder().setQueue("q").setClaimantId(none))).hasSize(1);
    }
    assertThat(tasks(TasksRequest.newBuilder().setQueue("q").setClaimantId(V0.ANN))).isEmpty();
    assertThat(
            served.client.stream(
                "proto.EntroQ/StreamTasks",
                TasksRequest.newBuilder().setClaimantId(NOBODY).setQueue("q").build(),
                TasksResponse.getDefaultInstance()))
        .hasSize(1);
  }

  @Test
  void shouldCountWhatIsHeldAsClaimed() {
    v0.insert(V0.data("q").setAtMs(System.currentTimeMillis() + 100_000));
    v0.insert(V0.data("q"));
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
    v0.insert(V0.data("q").setId(ID).setAtMs(System.currentTimeMillis() + 100_000));
    StatusRuntimeException refused =
        refusal(
            () ->
                v0.modify(
                    V0.by(V0.BOB)
                        .addDeletes(TaskID.newBuilder().setId(ID))
                        .addInserts(dataOf(ID))));
    assertThat(ServedQueue.details(refused))
        .allMatch(any -> any.getTypeUrl().equals("type.googleapis.com/proto.ModifyDep"))
        .extracting(any -> ModifyDep.parseFrom(any.getValue()))
        .containsExactlyInAnyOrder(
            ModifyDep.newBuilder()
                .setType(ActionType.DETAIL)
                .setMsg("inserts[0] exists; deletes[0] claimed by another")
                .build(),
            ModifyDep.newBuilder()
                .setType(ActionType.CLAIM)
                .setId(TaskID.newBuilder().setId(ID).setQueue("q"))
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

    v0.insert(V0.data("q").setId(ID).setValue(bytes(" [1, null] ")));
    assertThat(v1.task(ID).getValue().getListValue().getValuesCount()).isEqualTo(2);
    assertThat(v1.task(ID).getClaimantId()).isEqualTo(V0.ANN);
    v0.insert(V0.data("other").setValue(bytes("not json")));
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
      Task claimed = v0.tryClaim(V0.BOB, "q").getTask();
      assertThat(claimed.getVersion()).isEqualTo(1);
      Task changed =
          v0.modify(
                  V0.by(V0.BOB)
                      .addChanges(
                          TaskChange.newBuilder()
                              .setOldId(TaskID.newBuilder().setId(claimed.getId()).setVersion(1))
                              .setNewData(V0.data("q").setErr("seen"))))
              .getChanged(0);
      assertThat(v1.task(id).getErr()).isEqualTo("seen");
      assertThat(v1.task(id).getClaimantId()).isEqualTo(V0.BOB);
      v0.modify(
          V0.by(V0.BOB)
              .addDeletes(TaskID.newBuilder().setId(changed.getId()).setVersion(2).setQueue("q")));
      assertThat(queues("Queues")).isEmpty();
    }
  }

  @Test
  void shouldMissWhatIsDeletedOrDependedOnWithoutAQueue() {
    // EntroQ of that generation took the former for done.
    for (ModifyRequest.Builder request :
        List.of(
            V0.by(V0.ANN).addDeletes(TaskID.newBuilder().setId(ID)),
            V0.by(V0.ANN).addDepends(TaskID.newBuilder().setId(ID)))) {
      StatusRuntimeException refused = refusal(() -> v0.modify(request));
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(refused.getStatus().getDescription()).isEqualTo("modification dependency error");
      assertThat(ServedQueue.details(refused))
          .extracting(any -> ModifyDep.parseFrom(any.getValue()))
          .containsExactlyInAnyOrder(
              ModifyDep.newBuilder()
                  .setType(ActionType.DETAIL)
                  .setMsg(
                      (request.getDeletesCount() > 0 ? "deletes" : "depends")
                          + "[0] missing or mismatched")
                  .build(),
              ModifyDep.newBuilder()
                  .setType(request.getDeletesCount() > 0 ? ActionType.DELETE : ActionType.DEPEND)
                  .setId(TaskID.newBuilder().setId(ID))
                  .build());
    }
    v0.insert(V0.data("q").setId(ID));
    v0.modify(V0.by(V0.ANN).addDeletes(TaskID.newBuilder().setId(ID)));
    assertThat(queues("Queues")).isEmpty();
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

  private static TaskData.Builder dataOf(String id) {
    return V0.data("elsewhere").setId(id);
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
