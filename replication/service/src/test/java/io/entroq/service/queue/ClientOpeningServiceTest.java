package io.entroq.service.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.testing.Await;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The first requests of clients with an identity, in all orders. */
class ClientOpeningServiceTest {
  private static final CallContext CONTEXT = CallContext.of("test");
  private static final Refusal DENIED = new Refusal(Status.Code.PERMISSION_DENIED, "denied");
  private static final Refusal FULL = Refusal.exhausted("full");

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final Service open =
      new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), 1 << 20);
  private final List<Runnable> held = new ArrayList<>();
  private final AtomicInteger seconds = new AtomicInteger();
  private boolean denies;
  private volatile boolean deniesFirst;
  private boolean isFull;
  private boolean holds;

  /** Denies, or holds back, what it is told to. */
  private final Service guarded =
      new ServiceFilter(open) {
        @Override
        public <Q extends Message, S extends Message> Call handle(
            Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
          if (!(request instanceof ModifyRequest modify)) {
            return next.handle(method, context, request, reply);
          }
          seconds.addAndGet(modify.getRequestNumber() == 2 ? 1 : 0);
          if (denies || (deniesFirst && modify.getRequestNumber() == 1)) {
            reply.fail(DENIED);
            return Call.done();
          }
          if (isFull) {
            reply.fail(FULL);
            return Call.done();
          }
          if (holds) {
            held.add(() -> next.handle(method, context, request, reply));
            return Call.done();
          }
          return next.handle(method, context, request, reply);
        }
      };

  private final Service service = new FirstRequests().before(guarded, open);

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldTakeLaterRequestsOfAClientWhoseFirstOneWasDenied() throws Exception {
    denies = true;
    assertThat(insert(1, 1).get()).isEqualTo(DENIED);
    assertThat(insert(2, 1).get()).isEqualTo(DENIED);
    denies = false;
    // Whether or not the client says that it has had the answer.
    assertInserted(insert(3, 1));
    assertInserted(insert(2, 2));
    assertInserted(insert(4, 4));
    assertThat(tasks()).isEqualTo(3);
  }

  @Test
  void shouldTakeTheFirstRequestAgainAfterItWasDenied() throws Exception {
    denies = true;
    assertThat(insert(1, 1).get()).isEqualTo(DENIED);
    denies = false;
    assertInserted(insert(1, 1));
    assertInserted(insert(1, 1));
    assertInserted(insert(2, 2));
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void shouldTakeLaterRequestsOfAClientWhoseFirstOneWasWrong() throws Exception {
    ModifyRequest.Builder wrong = request(1, 1).addInserts(TaskData.getDefaultInstance());
    assertThat(((Refusal) modify(wrong).get()).code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    Heard<ClaimResponse> claimed = new Heard<>();
    service.handle(
        Method.TRY_CLAIM,
        CONTEXT,
        ClaimRequest.newBuilder()
            .setClientId(client(7))
            .setRequestNumber(2)
            .setAckedBelow(2)
            .setClaimantId("me")
            .setDurationMs(1_000)
            .addQueues("q")
            .build(),
        claimed);
    assertThat(claimed.get()).isEqualTo(ClaimResponse.getDefaultInstance());
    assertInserted(insert(3, 3));
  }

  @Test
  void shouldTakeLaterRequestsOfAClientThatGaveUpItsFirstOne() throws Exception {
    holds = true;
    Heard<ModifyResponse> first = new Heard<>();
    service.handle(Method.MODIFY, CONTEXT, inserting(1, 1).build(), first).cancel();
    holds = false;
    assertInserted(insert(2, 2));
    assertThat(first.answer).isNotDone();
  }

  /** A client that has had no answer, as its connection broke, sends both again in any order. */
  @Test
  void shouldLeaveNumberOneToAClientThatSendsItsFirstRequestAgain() throws Exception {
    holds = true;
    service.handle(Method.MODIFY, CONTEXT, inserting(1, 1).build(), new Heard<>()).cancel();
    held.clear();
    assertThatBothAreDone();
  }

  /** The second one waits as long as the first one is under way, so both are done in any case. */
  private void assertThatBothAreDone() throws Exception {
    holds = true;
    Heard<ModifyResponse> first = insert(1, 1);
    holds = false;
    Heard<ModifyResponse> second = insert(2, 1);
    Await.until("the second one is tried again", () -> seconds.get() >= 2);
    held.forEach(Runnable::run);
    assertInserted(first);
    assertInserted(second);
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void shouldLeaveNumberOneToAClientThatSendsADeniedRequestAgain() throws Exception {
    denies = true;
    assertThat(insert(1, 1).get()).isEqualTo(DENIED);
    denies = false;
    assertThatBothAreDone();
  }

  @Test
  void shouldLeaveNumberOneToAClientWhoseFirstRequestFoundNoRoom() throws Exception {
    isFull = true;
    assertThat(insert(1, 1).get()).isEqualTo(FULL);
    isFull = false;
    assertThat(insert(2, 1).get()).isEqualTo(Refusal.CLIENT_UNKNOWN);
    assertInserted(insert(1, 1));
    assertInserted(insert(2, 1));
    assertThat(tasks()).isEqualTo(2);
  }

  @Test
  void shouldHaveARequestWaitForTheFirstOneThatItHasOvertaken() throws Exception {
    Heard<ModifyResponse> third = insert(3, 1);
    Heard<ModifyResponse> second = insert(2, 1);
    assertInserted(insert(1, 1));
    assertInserted(second);
    assertInserted(third);
    assertThat(tasks()).isEqualTo(3);
  }

  @Test
  void shouldHaveARequestWaitAsLongAsTheFirstOneIsUnderWay() throws Exception {
    holds = true;
    Heard<ModifyResponse> first = insert(1, 1);
    holds = false;
    Heard<ModifyResponse> second = insert(2, 1);
    // More often than for a first request of which nothing is known.
    Await.until("it is tried three times", () -> seconds.get() >= 3);
    assertThat(second.answer).isNotDone();
    held.forEach(Runnable::run);
    assertInserted(first);
    assertInserted(second);
  }

  @Test
  void shouldGoOnWhenTheFirstRequestIsDeniedThatItWaitsFor() throws Exception {
    // Only that one: the second may be tried at any time, also before this hears of the first.
    deniesFirst = true;
    Heard<ModifyResponse> second = insert(2, 1);
    assertThat(insert(1, 1).get()).isEqualTo(DENIED);
    assertInserted(second);
    assertThat(tasks()).isEqualTo(1);
  }

  @Test
  void shouldNotTakeARequestOfAClientOfWhichNothingIsKnown() throws Exception {
    assertThat(insert(2, 2).get()).isEqualTo(Refusal.CLIENT_UNKNOWN);
    assertThat(insert(2, 1).get()).isEqualTo(Refusal.CLIENT_UNKNOWN);
    assertThat(tasks()).isZero();
  }

  @Test
  void shouldNotDoAgainWhatAForgottenClientHadDone() throws Exception {
    ModifyRequest.Builder other = inserting(1, 1).setClientId(client(8));
    modify(other).get();
    assertInserted(modify(other.setRequestNumber(2)));
    // One whose second request was done by another member.
    ModifyRequest.Builder elsewhere = inserting(1, 1).setClientId(client(9));
    modify(elsewhere).get();
    Heard<ModifyResponse> done = new Heard<>();
    open.handle(Method.MODIFY, CONTEXT, elsewhere.setRequestNumber(2).build(), done);
    assertInserted(done);
    // One whose first request was denied here, and then done by another member.
    ModifyRequest.Builder denied = inserting(1, 1).setClientId(client(10));
    denies = true;
    insert(1, 1).get();
    modify(denied).get();
    denies = false;
    assertInserted(insert(2, 1));
    done = new Heard<>();
    open.handle(Method.MODIFY, CONTEXT, denied.build(), done);
    assertInserted(done);
    assertInserted(modify(denied.setRequestNumber(2)));
    pushOut();
    assertThat(modify(denied.setAckedBelow(2)).get()).isEqualTo(Refusal.CLIENT_UNKNOWN);
    assertThat(modify(elsewhere.setAckedBelow(2)).get()).isEqualTo(Refusal.CLIENT_UNKNOWN);
    assertThat(insert(2, 2).get()).isEqualTo(Refusal.CLIENT_UNKNOWN);
    assertThat(modify(other.setAckedBelow(2)).get()).isEqualTo(Refusal.CLIENT_UNKNOWN);
    assertThat(tasks()).isEqualTo(7);
  }

  /** As many other clients as an engine knows. */
  private void pushOut() throws Exception {
    List<Heard<ModifyResponse>> begun = new ArrayList<>();
    for (int client = 1_000; client < 1_000 + 65_536; client++) {
      Heard<ModifyResponse> heard = new Heard<>();
      open.handle(Method.MODIFY, CONTEXT, request(1, 1).setClientId(client(client)).build(), heard);
      begun.add(heard);
      if (begun.size() == 64) {
        for (Heard<ModifyResponse> one : begun) {
          one.get();
        }
        begun.clear();
      }
    }
  }

  @Test
  void shouldNotOpenAClientForWhatIsDenied() throws Exception {
    denies = true;
    assertThat(insert(1, 1).get()).isEqualTo(DENIED);
    assertThat(insert(2, 1).get()).isEqualTo(DENIED);
    Heard<ModifyResponse> direct = new Heard<>();
    open.handle(Method.MODIFY, CONTEXT, inserting(2, 1).build(), direct);
    assertThat(direct.get()).isEqualTo(Refusal.CLIENT_UNKNOWN);
  }

  private Heard<ModifyResponse> insert(long number, long ackedBelow) {
    return modify(inserting(number, ackedBelow));
  }

  private Heard<ModifyResponse> modify(ModifyRequest.Builder request) {
    Heard<ModifyResponse> heard = new Heard<>();
    service.handle(Method.MODIFY, CONTEXT, request.build(), heard);
    return heard;
  }

  private static ModifyRequest.Builder inserting(long number, long ackedBelow) {
    return request(number, ackedBelow).addInserts(TaskData.newBuilder().setQueue("q"));
  }

  private static ModifyRequest.Builder request(long number, long ackedBelow) {
    return ModifyRequest.newBuilder()
        .setClientId(client(7))
        .setRequestNumber(number)
        .setAckedBelow(ackedBelow);
  }

  private static ByteString client(int client) {
    return ByteString.copyFrom(ByteBuffer.allocate(16).putInt(client).array());
  }

  private static void assertInserted(Heard<ModifyResponse> heard) throws Exception {
    assertThat(heard.get()).isInstanceOf(ModifyResponse.class);
    assertThat(((ModifyResponse) heard.get()).getInsertedCount()).isEqualTo(1);
  }

  private int tasks() throws Exception {
    Heard<QueuesResponse> heard = new Heard<>();
    service.handle(Method.QUEUE_STATS, CONTEXT, QueuesRequest.getDefaultInstance(), heard);
    QueuesResponse response = (QueuesResponse) heard.get();
    return response.getQueuesCount() == 0 ? 0 : response.getQueues(0).getNumTasks();
  }

  /** The answer to a request. */
  private static final class Heard<S> implements Reply<S> {
    final CompletableFuture<Object> answer = new CompletableFuture<>();

    @Override
    public void position(long position) {
      // Not looked at.
    }

    @Override
    public void send(S response) {
      answer.complete(response);
    }

    @Override
    public void fail(Refusal refusal) {
      answer.complete(refusal);
    }

    Object get() throws Exception {
      return answer.get(30, TimeUnit.SECONDS);
    }
  }
}
