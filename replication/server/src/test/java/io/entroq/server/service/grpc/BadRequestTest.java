package io.entroq.server.service.grpc;

import static io.entroq.server.service.grpc.ServedQueue.refusal;
import static io.entroq.server.service.grpc.ServedQueue.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.ListValue;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.QueueStats;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.grpc.Status;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * What is wrong is refused by a message that names the field; nothing changes, the server lives.
 */
@Timeout(60)
class BadRequestTest {
  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);
  private Task task;
  private List<QueueStats> before;

  @BeforeEach
  void insert() {
    task = v1.insert("q", "t");
    before = stats();
  }

  @AfterEach
  void shouldBeAsBefore() {
    assertThat(stats()).isEqualTo(before);
    assertThat(v1.task("t")).isEqualTo(task);
    served.close();
  }

  /** But for ages, which pass. */
  private List<QueueStats> stats() {
    return v1.stats(QueuesRequest.newBuilder()).stream()
        .map(queue -> queue.toBuilder().clearOldestAvailableMs().build())
        .toList();
  }

  @Test
  void shouldRefuseTheSameTaskTwice() {
    refuses(modify(request().addDeletes(ref()).addDeletes(ref())), "deletes[1]", "twice");
    refuses(modify(request().addDeletes(ref()).addDepends(ref())), "depends[0]", "twice");
    refuses(
        modify(request().addChanges(V1.change(task)).addChanges(V1.change(task))),
        "changes[1]",
        "twice");
    refuses(modify(request().addChanges(V1.change(task)).addDeletes(ref())), "deletes[0]", "twice");
    refuses(
        modify(
            request()
                .addInserts(V1.data("q").setId("new"))
                .addInserts(V1.data("other").setId("new"))),
        "inserts[1]",
        "twice");
  }

  @Test
  void shouldRefuseTheQueueWithoutAName() {
    refuses(modify(request().addInserts(V1.data(""))), "inserts[0].queue");
    refuses(modify(request().addInserts(V1.data("q")).addInserts(V1.data(""))), "inserts[1].queue");
    TaskChange.Builder move = V1.change(task);
    move.getNewDataBuilder().setQueue("");
    refuses(modify(request().addChanges(move)), "changes[0].new_data.queue");
  }

  @Test
  void shouldRefuseHalfAChange() {
    refuses(
        modify(request().addChanges(V1.change(task).clearOldId())), "changes[0].old_id: missing");
    refuses(
        modify(request().addChanges(V1.change(task).clearNewData())),
        "changes[0].new_data: missing");
  }

  @Test
  void shouldRefuseWhatNoTaskIsCalled() {
    TaskID.Builder nobody = TaskID.newBuilder().setQueue("q");
    refuses(modify(request().addDeletes(nobody)), "deletes[0].id");
    refuses(modify(request().addDepends(nobody)), "depends[0].id");
    refuses(modify(request().addChanges(V1.change(task).setOldId(nobody))), "changes[0].old_id.id");
    refuses(modify(request().addDeletes(ref().setVersion(-1))), "deletes[0].version", "-1");
  }

  @Test
  void shouldRefuseNamesThatAreTooLong() {
    String longest = "x".repeat(1_023) + "é";
    refuses(modify(request().addInserts(V1.data(longest))), "inserts[0].queue", "1025", "1024");
    refuses(modify(request().addInserts(V1.data("q").setId(longest))), "inserts[0].id", "1025");
    refuses(modify(request().setClaimantId(longest)), "claimant_id", "1025");
    refuses(modify(request().addDeletes(ref().setQueue(longest))), "deletes[0].queue", "1025");
    refuses(tryClaim(V1.claim("c", "q", longest)), "queues[1]", "1025");
    refuses(
        () -> v1.tasks(TasksRequest.newBuilder().setQueue("q").addTaskId(longest)), "task_id[0]");
    refuses(() -> v1.queues(QueuesRequest.newBuilder().addMatchPrefix(longest)), "match_prefix[0]");
  }

  @Test
  void shouldRefuseValuesThatAreNotJsonOrTooLarge() {
    Value deep = ServedQueue.text("x");
    for (int i = 0; i < 101; i++) {
      deep = Value.newBuilder().setListValue(ListValue.newBuilder().addValues(deep)).build();
    }
    refuses(insert(deep), "inserts[0].value", "nested");
    refuses(insert(Value.newBuilder().setNumberValue(Double.NaN).build()), "inserts[0].value");
    refuses(insert(Value.getDefaultInstance()), "inserts[0].value", "without a kind");
    refuses(
        insert(ServedQueue.text("x".repeat(1 << 20))), "inserts[0].value", "1048580", "1048576");
  }

  @Test
  void shouldRefuseClaimsThatCannotBe() {
    refuses(tryClaim(V1.claim("c")), "no queues specified for try claim");
    refuses(() -> v1.claim(V1.claim("c").build()), "no queues specified for claim");
    refuses(tryClaim(V1.claim("c", "q").setDurationMs(-1)), "duration_ms", "-1");
    refuses(tryClaim(V1.claim("c", "q").setLimit(1_001)), "limit", "1001", "1000");
    refuses(tryClaim(V1.claim("c", "q").setLimit(-1)), "limit");
    refuses(
        tryClaim(
            V1.claim("c")
                .addAllQueues(IntStream.rangeClosed(0, 1_000).mapToObj(i -> "q" + i).toList())),
        "queues",
        "1000");
  }

  @Test
  void shouldRefuseIdentitiesThatAreNone() {
    ByteString client = ByteString.copyFrom(new byte[16]);
    ByteString good = ByteString.copyFromUtf8("0123456789abcdef");
    refuses(tryClaim(V1.claim("c", "q").setRequestNumber(1)), "client_id");
    refuses(
        tryClaim(V1.claim("c", "q").setClientId(ByteString.copyFromUtf8("short"))), "client_id");
    refuses(tryClaim(V1.claim("c", "q").setClientId(client).setRequestNumber(1)), "client_id");
    refuses(tryClaim(V1.claim("c", "q").setClientId(good)), "request_number");
    refuses(
        modify(request().setClientId(good).setRequestNumber(2).setAckedBelow(3)), "acked_below");
    refuses(modify(request().setThenClaim(ClaimRequest.newBuilder())), "then_claim.queues");
  }

  @Test
  void shouldRefuseWhatIsNoMessage() {
    ClaimRequest broken =
        ClaimRequest.newBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        1,
                        UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFrom(new byte[] {(byte) 0xFF}))
                            .build())
                    .build())
            .build();
    refuses(
        () -> served.client.call("api.EntroQ/TryClaim", broken, ClaimResponse.getDefaultInstance()),
        "cannot be read");
  }

  @Test
  void shouldRefuseMessagesThatAreTooLong() {
    ModifyRequest.Builder request = request();
    for (int i = 0; i < 12; i++) {
      request.addInserts(V1.data("q").setValue(ServedQueue.text("x".repeat(1_000_000))));
    }
    assertThat(refusal(modify(request)).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    // Below the limit of messages, above that of commands.
    refuses(modify(request.removeInserts(0).removeInserts(0).removeInserts(0)), "commandBytesMax");
  }

  private Executable modify(ModifyRequest.Builder request) {
    return () -> v1.modify(request);
  }

  private Executable insert(Value value) {
    return modify(request().addInserts(V1.data("q").setValue(value)));
  }

  private Executable tryClaim(ClaimRequest.Builder request) {
    return () -> v1.tryClaim(request.build());
  }

  private static ModifyRequest.Builder request() {
    return ModifyRequest.newBuilder().setClaimantId("inserter");
  }

  private TaskID.Builder ref() {
    return V1.ref(task);
  }
}
