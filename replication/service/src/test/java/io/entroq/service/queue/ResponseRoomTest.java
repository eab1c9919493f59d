package io.entroq.service.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TaskData;
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
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims for whose answers there is no room hold nothing. */
@Timeout(60)
class ResponseRoomTest {
  private static final CallContext CONTEXT = CallContext.of("test");
  private static final ClaimRequest CLAIM =
      ClaimRequest.newBuilder().setClaimantId("c").addQueues("q").setDurationMs(60_000).build();

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final Service service =
      new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), 1 << 20);
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
