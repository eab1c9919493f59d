package io.entroq.service.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What cannot be answered for lack of room is not done, and claims hold nothing. */
class ResponseRoomTest {
  private static final int BYTES_MAX = 1 << 20;
  private static final ByteString VALUE =
      ByteString.copyFrom(Values.ofText("x".repeat(BYTES_MAX / 4)));
  private static final CallContext CONTEXT = CallContext.of("test");
  private static final ClaimRequest CLAIM =
      ClaimRequest.newBuilder().setClaimantId("c").addQueues("q").setDurationMs(60_000).build();

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final Service service =
      new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), BYTES_MAX);
  private boolean hasRoom;

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldRefuseAClaimAndGiveBackWhatItWouldHaveGot() throws Exception {
    insert();
    Heard<ClaimResponse> refused = new Heard<>();
    service.handle(Method.TRY_CLAIM, CONTEXT, CLAIM, refused);
    assertThat(refused.refusal().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refused.refusal().message()).contains("given back");
    assertClaimable();
  }

  @Test
  void shouldRefuseAClaimThatHasWaited() throws Exception {
    Heard<ClaimResponse> refused = new Heard<>();
    service.handle(Method.CLAIM, CONTEXT, CLAIM, refused);
    insert();
    assertThat(refused.refusal().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertClaimable();
  }

  @Test
  void shouldGiveBackWhatComesTooLateForTheDeadline() throws Exception {
    hasRoom = true;
    OptionalLong over = OptionalLong.of(System.nanoTime());
    Heard<ClaimResponse> refused = new Heard<>();
    service.handle(Method.CLAIM, new CallContext("test", Headers.NONE, over), CLAIM, refused);
    insert();
    assertThat(refused.refusal().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(refused.refusal().message()).contains("given back");
    assertClaimable();
  }

  @Test
  void shouldAnswerAClaimThatFindsNothing() throws Exception {
    Heard<ClaimResponse> heard = new Heard<>();
    service.handle(Method.TRY_CLAIM, CONTEXT, CLAIM, heard);
    assertThat(heard.response().hasTask()).isFalse();
  }

  @Test
  void shouldDoAModifyThatClaimsNothing() throws Exception {
    Heard<ModifyResponse> heard = new Heard<>();
    service.handle(
        Method.MODIFY,
        CONTEXT,
        ModifyRequest.newBuilder()
            .setClaimantId("c")
            .addInserts(TaskData.newBuilder().setQueue("q"))
            .setThenClaim(CLAIM)
            .build(),
        heard);
    assertThat(heard.response().getInsertedCount()).isEqualTo(1);
    assertThat(heard.response().getClaimedCount()).isZero();
    assertClaimable();
  }

  /** The response repeats the values, which the request has not. */
  @Test
  void shouldNotChangeLeasesThatItCannotReport() throws Exception {
    ModifyRequest.Builder insert = ModifyRequest.newBuilder();
    for (int i = 0; i < 4; i++) {
      modify(insert.clear().addInserts(data("q").setId("t" + i).setValue(VALUE))).response();
    }
    ModifyRequest.Builder leases = leases(4);
    assertTooLarge(leases, "the tasks of these lease changes have about 1,04");
    assertTooLarge(leases.clone().setThenClaim(CLAIM), "an answer has room for 1,04");
    ByteString client = ByteString.copyFromUtf8("0123456789abcdef");
    leases.setClientId(client).setRequestNumber(1);
    assertTooLarge(leases, "Change the leases of fewer tasks at once");
    assertTooLarge(leases.clone().setThenClaim(CLAIM), "Nothing was changed");
    ModifyResponse response = modify(leases(3)).response();
    assertThat(response.getChangedList()).extracting(Task::getVersion).containsOnly(1);
    assertThat(response.getSerializedSize()).isBetween(3 * VALUE.size(), BYTES_MAX);
  }

  /** Ids and times alone may be more than the request. */
  @Test
  void shouldNotInsertWhatItCannotReport() throws Exception {
    int count = 20_000;
    assertTooLarge(inserts(data("q"), 3 * count), "limit message-bytes", "nothing was done");
    ModifyResponse response = modify(inserts(data("q"), count / 2)).response();
    assertThat(response.getInsertedCount()).isEqualTo(count / 2);
  }

  @Test
  void shouldNotTakeAResponseForSmallerThanItIs() throws Exception {
    String longest = "c".repeat(64);
    Task other = modify(inserts(data("other").setId("other"), 1)).response().getInserted(0);
    ModifyRequest.Builder small = ModifyRequest.newBuilder().setClaimantId(longest);
    for (ModifyRequest.Builder request :
        List.of(
            inserts(data("q"), 100),
            inserts(data("q").setByMs(1_000).setErr("e").setAttempt(7), 100),
            small
                .clone()
                .addChanges(
                    TaskChange.newBuilder()
                        .setOldId(TaskID.newBuilder().setId("other").setQueue("other"))
                        .setNewData(TaskData.newBuilder().setByMs(1_000).setValue(VALUE))),
            small
                .clone()
                .addDocInserts(
                    DocData.newBuilder().setNamespace("n").setKey("k").setByMs(1_000)))) {
      int room = ModifyResponseSize.room(request.build(), BYTES_MAX);
      int size = modify(request.setClaimantId(longest)).response().getSerializedSize();
      assertThat(size).as("%s", other).isLessThanOrEqualTo(BYTES_MAX - room);
    }
    ModifyRequest many = inserts(data("q").setByMs(1), 7_000).setClaimantId(longest).build();
    int room = ModifyResponseSize.room(many, BYTES_MAX);
    int size = modify(many.toBuilder()).response().getSerializedSize();
    assertThat(size).isBetween((BYTES_MAX - room) * 2 / 3, BYTES_MAX - room);
  }

  private static TaskData.Builder data(String queue) {
    return TaskData.newBuilder().setQueue(queue);
  }

  private static ModifyRequest.Builder inserts(TaskData.Builder data, int count) {
    return ModifyRequest.newBuilder().addAllInserts(Collections.nCopies(count, data.build()));
  }

  private static ModifyRequest.Builder leases(int count) {
    ModifyRequest.Builder leases = ModifyRequest.newBuilder().setClaimantId("c");
    for (int i = 0; i < count; i++) {
      leases.addChanges(
          TaskChange.newBuilder()
              .setOldId(TaskID.newBuilder().setId("t" + i).setQueue("q"))
              .setNewData(TaskData.newBuilder().setByMs(60_000))
              .setMode(ChangeMode.CHANGE_LEASE));
    }
    return leases;
  }

  private void assertTooLarge(ModifyRequest.Builder request, String... words) throws Exception {
    long before = queue.stats().appendedSequence();
    Refusal refusal = modify(request).refusal();
    assertThat(refusal.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal.message()).contains(words);
    assertThat(queue.stats().appendedSequence()).isEqualTo(before);
  }

  private Heard<ModifyResponse> modify(ModifyRequest.Builder request) {
    Heard<ModifyResponse> heard = new Heard<>();
    service.handle(Method.MODIFY, CONTEXT, request.build(), heard);
    return heard;
  }

  private void insert() {
    service.handle(
        Method.MODIFY,
        CONTEXT,
        ModifyRequest.newBuilder().addInserts(TaskData.newBuilder().setQueue("q")).build(),
        new Heard<>());
  }

  private void assertClaimable() throws Exception {
    hasRoom = true;
    Heard<ClaimResponse> heard = new Heard<>();
    service.handle(Method.TRY_CLAIM, CONTEXT, CLAIM, heard);
    assertThat(heard.response().hasTask()).isTrue();
  }

  /** The answer to a request. */
  private final class Heard<S> implements Reply<S> {
    private final CompletableFuture<S> answer = new CompletableFuture<>();
    private final CompletableFuture<Refusal> refusal = new CompletableFuture<>();

    S response() throws Exception {
      return answer.get(30, TimeUnit.SECONDS);
    }

    Refusal refusal() throws Exception {
      return refusal.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void position(long position) {}

    @Override
    public boolean hasRoom(long bytes) {
      return hasRoom;
    }

    @Override
    public void send(S response) {
      answer.complete(response);
    }

    @Override
    public void fail(Refusal refused) {
      refusal.complete(refused);
    }
  }
}
