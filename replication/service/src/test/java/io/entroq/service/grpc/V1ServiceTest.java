package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.NullValue;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.QueueStats;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.codec.wire.published.v1.TasksResponse;
import io.entroq.codec.wire.published.v1.TimeRequest;
import io.entroq.codec.wire.published.v1.TimeResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The v1 API over loopback, as its clients use it. */
class V1ServiceTest {
  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldAnswerAnEmptyTryClaimWithoutATask() {
    assertThat(v1.tryClaim("c", "q")).isEqualTo(ClaimResponse.getDefaultInstance());
    assertThat(v1.tryClaim("c", "q", "", "other").hasTask()).isFalse();
  }

  @Test
  void shouldTakeATaskThroughItsLife() {
    long before = System.currentTimeMillis();
    Task inserted = v1.insert("q", "0123456789abcdef");
    assertThat(inserted.getVersion()).isZero();
    // It is available at once, so nobody holds it.
    assertThat(inserted.getClaimantId()).isEmpty();
    assertThat(inserted.getAtMs()).isCloseTo(before, within(5_000L));
    assertThat(inserted.getCreatedMs()).isEqualTo(inserted.getModifiedMs());

    Task claimed = v1.tryClaim("worker", "q").getTask();
    assertThat(claimed)
        .isEqualTo(
            inserted.toBuilder()
                .setVersion(1)
                .setClaims(1)
                .setClaimantId("worker")
                .setAtMs(claimed.getModifiedMs() + 30_000)
                .setModifiedMs(claimed.getModifiedMs())
                .setInFlight(true)
                .build());

    long renewedMs = claimed.getAtMs() + 60_000;
    Task renewed = change(claimed, V1.change(claimed), renewedMs);
    assertThat(renewed.getAtMs()).isEqualTo(renewedMs);
    assertThat(renewed.getClaimantId()).isEqualTo("worker");
    assertThat(renewed.getClaims()).isEqualTo(1);
    assertThat(renewed.getCreatedMs()).isEqualTo(inserted.getCreatedMs());
    assertThat(v1.tryClaim("thief", "q").hasTask()).isFalse();

    ModifyResponse deleted =
        v1.modify(ModifyRequest.newBuilder().setClaimantId("worker").addDeletes(V1.ref(renewed)));
    assertThat(deleted).isEqualTo(ModifyResponse.getDefaultInstance());
    assertThat(v1.queues(QueuesRequest.newBuilder())).isEmpty();
  }

  @Test
  void shouldMoveATaskAndLetGoOfIt() {
    v1.insert("q", "t");
    Task claimed = v1.tryClaim("worker", "q").getTask();
    TaskChange.Builder move = V1.change(claimed);
    move.getNewDataBuilder()
        .setQueue("q/err")
        .setAttempt(3)
        .setErr("went wrong")
        .setValue(ServedQueue.text("x"))
        .setId("not a rename");

    Task moved =
        v1.modify(ModifyRequest.newBuilder().setClaimantId("worker").addChanges(move))
            .getChanged(0);

    assertThat(moved.getId()).isEqualTo("t");
    assertThat(moved.getQueue()).isEqualTo("q/err");
    assertThat(moved.getVersion()).isEqualTo(2);
    assertThat(moved.getAttempt()).isEqualTo(3);
    assertThat(moved.getErr()).isEqualTo("went wrong");
    assertThat(moved.getClaimantId()).isEmpty();
    assertThat(v1.task("t")).isEqualTo(moved);
  }

  @Test
  void shouldKeepAbsentNullAndOtherValuesApart() {
    List<Value> values =
        List.of(
            Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build(),
            Value.newBuilder().setNumberValue(-0.0).build(),
            Value.newBuilder().setBoolValue(false).build(),
            ServedQueue.text("é\u2028"));
    ModifyRequest.Builder request =
        ModifyRequest.newBuilder().addInserts(V1.data("q").setId("absent"));
    for (int i = 0; i < values.size(); i++) {
      request.addInserts(V1.data("q").setId("t" + i).setValue(values.get(i)));
    }
    ModifyResponse response = v1.modify(request);

    assertThat(response.getInserted(0).hasValue()).isFalse();
    assertThat(v1.task("absent").hasValue()).isFalse();
    for (int i = 0; i < values.size(); i++) {
      assertThat(response.getInserted(i + 1).getValue()).isEqualTo(values.get(i));
      assertThat(v1.task("t" + i).getValue()).isEqualTo(values.get(i));
    }
    assertThat(v1.tasks(TasksRequest.newBuilder().setQueue("q").setOmitValues(true)))
        .hasSize(5)
        .noneMatch(Task::hasValue);
    // A change that says nothing of the value clears it.
    Task cleared =
        v1.modify(ModifyRequest.newBuilder().addChanges(V1.change(v1.task("t0")))).getChanged(0);
    assertThat(cleared.hasValue()).isFalse();
    assertThat(v1.task("t0").hasValue()).isFalse();
  }

  @Test
  void shouldKeepTimesToTheMillisecond() {
    long nowMs = System.currentTimeMillis();
    long farMs = 99_999_999_999_999L;
    ModifyResponse response =
        v1.modify(
            ModifyRequest.newBuilder()
                .addInserts(V1.data("q").setAtMs(nowMs - 7))
                .addInserts(V1.data("q").setAtMs(nowMs - 7 + 2_000))
                .addInserts(V1.data("q").setAtMs(farMs))
                .addInserts(V1.data("q").setAtMs(0)));
    assertThat(response.getInsertedList())
        .extracting(Task::getAtMs)
        .startsWith(nowMs - 7, nowMs - 7 + 2_000, farMs);
    assertThat(response.getInserted(3).getAtMs()).isCloseTo(nowMs, within(5_000L));
    assertThat(response.getInsertedList())
        .allMatch(task -> task.getId().matches("[0-9a-f]{16}"))
        .extracting(Task::getId)
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldTellOfQueues() {
    v1.insert("a/b", "1");
    v1.insert("a/b", "2");
    v1.insert("a/c", "3");
    v1.modify(
        ModifyRequest.newBuilder()
            .addInserts(V1.data("a/b").setAtMs(System.currentTimeMillis() + 100_000)));
    v1.tryClaim("worker", "a/b");

    assertThat(v1.queues(QueuesRequest.newBuilder()))
        .containsExactlyInAnyOrder(
            QueueStats.newBuilder().setName("a/b").setNumTasks(3).build(),
            QueueStats.newBuilder().setName("a/c").setNumTasks(1).build());
    assertThat(v1.stats(QueuesRequest.newBuilder().addMatchPrefix("a/b")))
        .extracting(queue -> queue.toBuilder().clearOldestAvailableMs().build())
        .containsExactly(
            QueueStats.newBuilder()
                .setName("a/b")
                .setNumTasks(3)
                .setNumAvailable(1)
                .setNumClaimed(1)
                .setNumFuture(1)
                .setMaxClaims(1)
                .setInFlight(1)
                .setClaimable(1)
                .build());
    assertThat(v1.stats(QueuesRequest.newBuilder().addMatchExact("a/%").addMatchPrefix("a_")))
        .isEmpty();
    assertThat(v1.queues(QueuesRequest.newBuilder().addMatchPrefix("a").setLimit(1))).hasSize(1);
  }

  @Test
  void shouldListTasks() {
    for (String id : List.of("a", "b", "c")) {
      v1.insert("q", id);
    }
    v1.insert("other", "d");
    v1.tryClaim("worker", "other");

    assertThat(ids(TasksRequest.newBuilder().setQueue("q"))).containsOnly("a", "b", "c");
    assertThat(ids(TasksRequest.newBuilder().addTaskId("d").addTaskId("none").addTaskId("a")))
        .containsExactly("d", "a");
    assertThat(ids(TasksRequest.newBuilder().setQueue("q").addTaskId("d").addTaskId("a")))
        .containsExactly("a");
    assertThat(ids(TasksRequest.newBuilder().setQueue("q").setLimit(2))).hasSize(2);
    assertThat(ids(TasksRequest.newBuilder().setQueue("q").setLimit(-1))).hasSize(3);
    assertThat(ids(TasksRequest.newBuilder().setQueue("other").setClaimantId("x"))).isEmpty();
    assertThat(ids(TasksRequest.newBuilder().setQueue("other").setClaimantId("worker")))
        .containsExactly("d");
    // To ask for nobody is not to ask for all.
    assertThat(ids(TasksRequest.newBuilder().setQueue("q").addTaskId(""))).isEmpty();
  }

  @Test
  void shouldStreamTasksOneByOne() {
    for (int i = 0; i < 30; i++) {
      v1.insert("q", "task " + i);
    }
    List<TasksResponse> stream = stream(TasksRequest.newBuilder().setQueue("q").build());
    assertThat(stream).hasSize(30).allMatch(message -> message.getTasksCount() == 1);
    assertThat(stream).extracting(message -> message.getTasks(0).getId()).doesNotHaveDuplicates();
    assertThat(stream(TasksRequest.newBuilder().setQueue("none").build())).isEmpty();
  }

  @Test
  void shouldTellTheTimeAndWhatElseItCanDo() {
    TimeResponse time =
        served.client.call(
            "api.EntroQ/Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());
    assertThat(time.getTimeMs()).isCloseTo(System.currentTimeMillis(), within(5_000L));
    assertThat(time.getFeatures()).isEqualTo(0b11_1111_1111);
    assertThat(time.getLogId().size()).as("bytes of the id of the log").isEqualTo(16);
  }

  private Task change(Task task, TaskChange.Builder change, long atMs) {
    TaskData.Builder data = change.getNewDataBuilder().setAtMs(atMs);
    return v1.modify(
            ModifyRequest.newBuilder()
                .setClaimantId(task.getClaimantId())
                .addChanges(change.setNewData(data)))
        .getChanged(0);
  }

  private List<String> ids(TasksRequest.Builder request) {
    return v1.tasks(request).stream().map(Task::getId).toList();
  }

  private List<TasksResponse> stream(TasksRequest request) {
    return served.client.stream(
        "api.EntroQ/StreamTasks", request, TasksResponse.getDefaultInstance());
  }
}
