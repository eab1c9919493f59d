package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.wire.published.v1.ActionType;
import io.entroq.codec.wire.published.v1.ModifyDep;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskID;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What clients learn of a Modify that was not done: all of it, from the trailers. */
class DependencyErrorTest {
  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldListEveryReasonOnce() {
    Task changed = v1.insert("q", "changed");
    Task there = v1.insert("q", "there");
    v1.insert("q", "held");
    Task held = v1.tryClaim("other", "q").getTask();
    while (!held.getId().equals("held")) {
      v1.modify(ModifyRequest.newBuilder().setClaimantId("other").addChanges(V1.change(held)));
      held = v1.tryClaim("other", "q").getTask();
    }
    changed = v1.task(changed.getId());
    there = v1.task(there.getId());

    StatusRuntimeException refused =
        refusal(
            modify(
                ModifyRequest.newBuilder()
                    .setClaimantId("me")
                    .addInserts(V1.data("elsewhere").setId(there.getId()))
                    .addInserts(V1.data("elsewhere").setId("would be new"))
                    .addChanges(V1.change(changed.toBuilder().setVersion(77).build()))
                    .addDeletes(V1.ref(held))
                    .addDeletes(TaskID.newBuilder().setId("missing").setQueue("q"))
                    .addDepends(TaskID.newBuilder().setId("nowhere").setVersion(3))));

    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(refused.getStatus().getDescription()).isEqualTo("modification dependency error");
    assertThat(ServedQueue.details(refused))
        .allMatch(any -> any.getTypeUrl().equals("type.googleapis.com/api.ModifyDep"));
    List<ModifyDep> entries = entries(refused);
    assertThat(entries.get(0).getType()).isEqualTo(ActionType.DETAIL);
    assertThat(entries.get(0).getMsg())
        .contains("inserts[0] exists", "changes[0] missing or mismatched", "claimed by another");
    assertThat(entries.subList(1, entries.size()))
        .containsExactlyInAnyOrder(
            entry(ActionType.INSERT)
                .setId(
                    TaskID.newBuilder().setId("there").setVersion(there.getVersion()).setQueue("q"))
                .build(),
            entry(ActionType.CHANGE)
                .setId(TaskID.newBuilder().setId("changed").setVersion(77))
                .build(),
            entry(ActionType.CLAIM)
                .setId(
                    TaskID.newBuilder().setId("held").setVersion(held.getVersion()).setQueue("q"))
                .build(),
            entry(ActionType.DELETE)
                .setId(TaskID.newBuilder().setId("missing").setQueue("q"))
                .build(),
            entry(ActionType.DEPEND)
                .setId(TaskID.newBuilder().setId("nowhere").setVersion(3))
                .build());
    assertThat(v1.task("changed")).isEqualTo(changed);
  }

  @Test
  void shouldMissATaskInAnotherQueueThanTheNamedOne() {
    Task task = v1.insert("q", "t");
    for (String queue : List.of("other", "")) {
      TaskID.Builder elsewhere = V1.ref(task).setQueue(queue);
      assertFails(ActionType.DELETE, ModifyRequest.newBuilder().addDeletes(elsewhere));
      assertFails(ActionType.DEPEND, ModifyRequest.newBuilder().addDepends(elsewhere));
      TaskChange.Builder change = V1.change(task).setOldId(elsewhere);
      assertFails(ActionType.CHANGE, ModifyRequest.newBuilder().addChanges(change));
      change.getNewDataBuilder().clearQueue();
      assertFails(ActionType.CHANGE, ModifyRequest.newBuilder().addChanges(change));
    }
    assertThat(v1.task("t")).isEqualTo(task);
  }

  private void assertFails(ActionType type, ModifyRequest.Builder request) {
    StatusRuntimeException refused = refusal(modify(request));
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(entries(refused))
        .extracting(ModifyDep::getType)
        .containsExactly(ActionType.DETAIL, type);
  }

  @Test
  void shouldFitWhateverFailsIntoTheTrailers() {
    ModifyRequest.Builder request = ModifyRequest.newBuilder().setClaimantId("me");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      ids.add("a task with quite a long name, number " + i);
      request.addInserts(V1.data("q").setId(ids.get(i)));
    }
    v1.modify(request);
    request.addDepends(TaskID.newBuilder().setId("missing"));

    // This client takes 8 KiB.
    List<ModifyDep> entries = entries(refusal(modify(request)));

    assertThat(entries).hasSizeGreaterThan(20);
    assertThat(entries.get(0).getMsg())
        .endsWith("; and " + (1_001 - (entries.size() - 1)) + " more that would not fit");
    assertThat(entries).extracting(ModifyDep::getType).contains(ActionType.DEPEND);
    assertThat(entries.stream().filter(entry -> entry.getType() == ActionType.INSERT))
        .extracting(entry -> entry.getId().getId())
        .isSubsetOf(ids)
        .doesNotHaveDuplicates();
  }

  private Executable modify(ModifyRequest.Builder request) {
    return () -> v1.modify(request);
  }

  private static ModifyDep.Builder entry(ActionType type) {
    return ModifyDep.newBuilder().setType(type);
  }

  private static List<ModifyDep> entries(StatusRuntimeException refused) {
    return ServedQueue.details(refused).stream()
        .map(
            any -> {
              try {
                return ModifyDep.parseFrom(any.getValue());
              } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
              }
            })
        .toList();
  }
}
