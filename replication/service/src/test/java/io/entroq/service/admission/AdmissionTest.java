package io.entroq.service.admission;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTest {
  private static final CallContext CONTEXT = CallContext.of("test");
  private static final Duration LONG = Duration.ofHours(1);
  private static final int KIB = 1 << 10;

  private final HeldService held = new HeldService();
  private Admission admission;
  private Service service;

  @AfterEach
  void close() {
    if (admission != null) {
      admission.close();
    }
  }

  @Test
  void shouldStartWaitingCallsInOrderAsOthersFinish() {
    bound(new AdmissionConfig(2, 1, KIB << 10, KIB, 10, KIB << 10, LONG));
    List<RecordedReply<ModifyResponse>> replies = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      replies.add(new RecordedReply<>());
      service.handle(Method.MODIFY, CONTEXT, modify(i), replies.get(i));
    }
    assertThat(held.begun).hasSize(2);
    assertThat(admission.waiting()).isEqualTo(3);
    held.begun.get(1).answer(ModifyResponse.getDefaultInstance());
    assertThat(held.begun).hasSize(3);
    held.begun.get(0).answer(ModifyResponse.getDefaultInstance());
    held.begun.get(2).reply.fail(Refusal.invalid("x"));
    assertThat(held.begun).extracting(call -> call.request).hasSize(5);
    for (int i = 0; i < 5; i++) {
      assertThat(held.begun.get(i).request).isEqualTo(modify(i));
    }
    assertThat(replies.get(2).refusals).hasSize(1);
    assertThat(admission.waiting()).isZero();
    assertThat(admission.requestsUnderWay()).isEqualTo(2);
  }

  @Test
  void shouldRefuseWhenTheQueueIsFull() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 2, KIB << 10, LONG));
    for (int i = 0; i < 3; i++) {
      service.handle(Method.MODIFY, CONTEXT, modify(i), new RecordedReply<>());
    }
    RecordedReply<ModifyResponse> reply = new RecordedReply<>();
    service.handle(Method.MODIFY, CONTEXT, modify(3), reply);
    assertThat(reply.refusals)
        .hasSize(1)
        .allMatch(refusal -> refusal.code() == Status.Code.RESOURCE_EXHAUSTED)
        .allMatch(
            refusal ->
                refusal
                    .message()
                    .matches(
                        "limit queued-calls: the queue is full, which has 2 of at most 2 calls\\."
                            + " 1 of at most 1 calls run, with .* of at most 1,048,576 bytes\\..*"));
    // Claims that wait have places of their own.
    service.handle(Method.CLAIM, CONTEXT, ClaimRequest.getDefaultInstance(), new RecordedReply<>());
    assertThat(held.begun).hasSize(2);
  }

  @Test
  void shouldRefuseWhenTheQueueHasTooManyBytes() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 10, 2 * KIB, LONG));
    service.handle(Method.MODIFY, CONTEXT, modify(0), new RecordedReply<>());
    service.handle(Method.MODIFY, CONTEXT, sized(KIB), new RecordedReply<>());
    RecordedReply<ModifyResponse> refused = new RecordedReply<>();
    service.handle(Method.MODIFY, CONTEXT, sized(KIB), refused);
    assertThat(refused.refusals).hasSize(1);
    assertThat(refused.refusals.get(0).message()).startsWith("limit queued-bytes: ");
    RecordedReply<ModifyResponse> small = new RecordedReply<>();
    service.handle(Method.MODIFY, CONTEXT, modify(1), small);
    assertThat(small.isAnswered()).isFalse();
    assertThat(admission.waiting()).isEqualTo(2);
  }

  @Test
  void shouldRefuseCallsThatWaitTooLong() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 10, KIB << 10, Duration.ofMillis(20)));
    service.handle(Method.MODIFY, CONTEXT, modify(0), new RecordedReply<>());
    RecordedReply<ModifyResponse> reply = new RecordedReply<>();
    long beginNs = System.nanoTime();
    service.handle(Method.MODIFY, CONTEXT, modify(1), reply);
    until("it is answered", reply::isAnswered);
    assertThat(System.nanoTime() - beginNs).isGreaterThanOrEqualTo(20_000_000);
    assertThat(reply.refusals.get(0).code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(reply.refusals.get(0).message()).startsWith("limit queue-wait: ");
    assertThat(admission.waiting()).isZero();
    assertThat(held.begun).hasSize(1);
  }

  @Test
  void shouldNotWaitBeyondTheDeadlineOfTheCaller() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 10, KIB << 10, LONG));
    service.handle(Method.MODIFY, CONTEXT, modify(0), new RecordedReply<>());
    RecordedReply<ModifyResponse> reply = new RecordedReply<>();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
    service.handle(
        Method.MODIFY,
        new CallContext("test", Headers.NONE, OptionalLong.of(deadline)),
        modify(1),
        reply);
    until("it is answered", reply::isAnswered);
    assertThat(reply.refusals).hasSize(1);
  }

  @Test
  void shouldRemoveCallsCancelledWhileWaiting() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 1, KIB << 10, LONG));
    service.handle(Method.MODIFY, CONTEXT, modify(0), new RecordedReply<>());
    RecordedReply<ModifyResponse> cancelled = new RecordedReply<>();
    service.handle(Method.MODIFY, CONTEXT, modify(1), cancelled).cancel();
    assertThat(admission.waiting()).isZero();
    RecordedReply<ModifyResponse> reply = new RecordedReply<>();
    service.handle(Method.MODIFY, CONTEXT, modify(2), reply);
    held.begun.get(0).answer(ModifyResponse.getDefaultInstance());
    assertThat(held.begun).hasSize(2);
    assertThat(held.begun.get(1).request).isEqualTo(modify(2));
    assertThat(cancelled.isAnswered()).isFalse();
  }

  @Test
  void shouldPassOnWithdrawalAndRefuseAWaitingCallThatIsWithdrawn() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 10, KIB << 10, LONG));
    Call first =
        service.handle(
            Method.CLAIM, CONTEXT, ClaimRequest.getDefaultInstance(), new RecordedReply<>());
    RecordedReply<ClaimResponse> second = new RecordedReply<>();
    service.handle(Method.CLAIM, CONTEXT, ClaimRequest.getDefaultInstance(), second).withdraw();
    assertThat(second.refusals).hasSize(1);
    assertThat(admission.waiting()).isZero();
    first.withdraw();
    assertThat(held.begun.get(0).events).containsExactly("withdraw");
  }

  @Test
  void shouldKeepTheSlotOfAClaimUntilItsResponseIsSent() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 10, KIB << 10, LONG));
    Call first =
        service.handle(
            Method.CLAIM, CONTEXT, ClaimRequest.getDefaultInstance(), new RecordedReply<>());
    Call second =
        service.handle(
            Method.CLAIM, CONTEXT, ClaimRequest.getDefaultInstance(), new RecordedReply<>());
    service.handle(Method.CLAIM, CONTEXT, ClaimRequest.getDefaultInstance(), new RecordedReply<>());
    held.begun.get(0).answer(ClaimResponse.getDefaultInstance());
    assertThat(held.begun).hasSize(1);
    first.delivered();
    assertThat(held.begun).hasSize(2);
    second.cancel();
    assertThat(held.begun).hasSize(3);
    assertThat(held.begun.get(0).events).containsExactly("delivered");
    assertThat(held.begun.get(1).events).containsExactly("cancel");
    assertThat(admission.claimsUnderWay()).isEqualTo(1);
  }

  @Test
  void shouldAdmitEveryMethod() throws InvalidProtocolBufferException {
    bound(new AdmissionConfig(100, 100, 64 << 20, 4 << 20, 100, KIB << 10, LONG));
    for (Method<?, ?> method : Method.ALL) {
      handleEmpty(method);
    }
    assertThat(held.begun).hasSameSizeAs(Method.ALL);
  }

  private <Q extends Message, S extends Message> void handleEmpty(Method<Q, S> method)
      throws InvalidProtocolBufferException {
    Q empty = method.requestParser().parseFrom(new byte[0]);
    service.handle(method, CONTEXT, empty, new RecordedReply<>());
  }

  @Test
  void shouldKeepRoomForResponsesUntilTheyAreRead() {
    bound(new AdmissionConfig(10, 1, 600 * KIB, 200 * KIB, 10, KIB << 10, LONG));
    TasksRequest all = TasksRequest.newBuilder().setQueue("q").build();
    Call first = service.handle(Method.TASKS, CONTEXT, all, new RecordedReply<>());
    service.handle(Method.TASKS, CONTEXT, all, new RecordedReply<>());
    // There could be room for two answers of such a length only in turn.
    assertThat(held.begun).hasSize(1);
    held.begun.get(0).answer(tasks(150 * KIB));
    assertThat(held.begun).hasSize(1);
    // A modification does not mind slow readers of listings.
    service.handle(Method.MODIFY, CONTEXT, sized(200 * KIB), new RecordedReply<>());
    assertThat(held.begun).hasSize(2);
    first.delivered();
    assertThat(held.begun).hasSize(3);
    held.begun.get(2).answer(tasks(KIB));
    service.handle(Method.TASKS, CONTEXT, all, new RecordedReply<>());
    assertThat(held.begun).as("behind a small answer").hasSize(4);
  }

  @Test
  void shouldNotDelayOtherCallsByUnreadStreams() {
    bound(new AdmissionConfig(10, 1, 9 << 20, 4 << 20, 100, KIB << 10, LONG));
    for (int i = 0; i < 20; i++) {
      service.handle(
          Method.STREAM_TASKS,
          CONTEXT,
          TasksRequest.newBuilder().setQueue("q").build(),
          new RecordedReply<>());
    }
    assertThat(held.begun).hasSize(4);
    assertThat(admission.waiting()).isEqualTo(16);
    service.handle(
        Method.CLAIM_DOCS, CONTEXT, ClaimDocsRequest.getDefaultInstance(), new RecordedReply<>());
    service.handle(Method.DOCS, CONTEXT, DocsRequest.getDefaultInstance(), new RecordedReply<>());
    service.handle(
        Method.QUEUES, CONTEXT, QueuesRequest.getDefaultInstance(), new RecordedReply<>());
    assertThat(held.begun).hasSize(7);
  }

  @Test
  void shouldReserveMemoryForTheTasksWhoseLeasesChange() {
    bound(new AdmissionConfig(100, 1, 4 << 20, 4 << 20, 100, KIB << 10, LONG));
    for (int i = 0; i < 20; i++) {
      service.handle(
          Method.MODIFY, CONTEXT, changes(ChangeMode.CHANGE_DEFAULT), new RecordedReply<>());
    }
    assertThat(held.begun).as("those that repeat only what was sent").hasSize(20);
    for (int i = 0; i < 20; i++) {
      service.handle(
          Method.MODIFY, CONTEXT, changes(ChangeMode.CHANGE_LEASE), new RecordedReply<>());
    }
    assertThat(held.begun).hasSizeBetween(21, 23);
  }

  private static ModifyRequest changes(ChangeMode mode) {
    ModifyRequest.Builder modify = ModifyRequest.newBuilder();
    for (int i = 0; i < 20; i++) {
      modify.addChangesBuilder().setMode(mode);
    }
    return modify.build();
  }

  @Test
  void shouldReserveOnlyTheLastPageOfAStream() {
    bound(new AdmissionConfig(10, 1, 4 << 20, 4 << 20, 100, KIB << 10, LONG));
    for (int i = 0; i < 5; i++) {
      service.handle(
          Method.STREAM_TASKS,
          CONTEXT,
          TasksRequest.newBuilder().setQueue("q").build(),
          new RecordedReply<>());
      assertThat(held.begun).hasSize(i + 1);
      assertThat(held.begun.get(i).reply.holds(KIB)).isTrue();
    }
  }

  @Test
  void shouldRestartAListingWhenThereIsRoomForTheLargestResponse() {
    bound(new AdmissionConfig(10, 1, 8 << 20, 3 << 20, 100, KIB << 10, LONG));
    RecordedReply<QueuesResponse> first = new RecordedReply<>();
    Call one = service.handle(Method.QUEUES, CONTEXT, QueuesRequest.getDefaultInstance(), first);
    RecordedReply<QueuesResponse> second = new RecordedReply<>();
    Call two = service.handle(Method.QUEUES, CONTEXT, QueuesRequest.getDefaultInstance(), second);
    assertThat(held.begun.get(0).reply.holds(2 << 20)).isTrue();
    assertThat(held.begun.get(1).reply.holds(2 << 20)).isTrue();
    assertThat(held.begun.get(1).reply.holds(5 << 19)).isFalse();
    assertThat(held.begun).as("for the longest answer there is none either").hasSize(2);
    assertThat(admission.requestsUnderWay()).isEqualTo(1);
    held.begun.get(0).answer(QueuesResponse.getDefaultInstance());
    assertThat(held.begun).hasSize(3);
    assertThat(held.begun.get(2).request).isEqualTo(held.begun.get(1).request);
    assertThat(held.begun.get(2).reply.holds(3 << 20)).isTrue();
    held.begun.get(2).answer(QueuesResponse.getDefaultInstance());
    one.delivered();
    two.delivered();
    assertThat(first.answers).hasSize(1);
    assertThat(second.answers).hasSize(1);
    assertThat(held.begun.get(1).events).isEmpty();
    assertThat(held.begun.get(2).events).containsExactly("delivered");
    assertThat(admission.requestsUnderWay()).isZero();
    assertThat(admission.listings().bytes().taken()).isZero();
  }

  @Test
  void shouldRemoveAListingCancelledWhileWaitingToRestart() {
    bound(new AdmissionConfig(10, 1, 4 << 20, 2 << 20, 100, KIB << 10, LONG));
    service.handle(
        Method.QUEUES, CONTEXT, QueuesRequest.getDefaultInstance(), new RecordedReply<>());
    Call cancelled =
        service.handle(
            Method.QUEUES, CONTEXT, QueuesRequest.getDefaultInstance(), new RecordedReply<>());
    assertThat(held.begun.get(1).reply.holds(3 << 19)).isFalse();
    assertThat(admission.waiting()).isEqualTo(1);
    cancelled.cancel();
    assertThat(admission.waiting()).isZero();
    assertThat(admission.listings().bytes().taken()).isEqualTo(1 << 20);
    assertThat(held.begun).hasSize(2);
  }

  @Test
  void shouldAdmitACallLargerThanTheLimitWhenAlone() {
    bound(new AdmissionConfig(10, 1, KIB, KIB, 10, KIB << 10, LONG));
    service.handle(Method.MODIFY, CONTEXT, sized(3 * KIB), new RecordedReply<>());
    service.handle(Method.MODIFY, CONTEXT, sized(3 * KIB), new RecordedReply<>());
    assertThat(held.begun).hasSize(1);
    held.begun.get(0).answer(ModifyResponse.getDefaultInstance());
    assertThat(held.begun).hasSize(2);
  }

  @Test
  void shouldPassOnTransportEventsOfAStream() {
    bound(new AdmissionConfig(1, 1, KIB << 12, KIB, 10, KIB << 10, LONG));
    RecordedReply<TasksResponse> reply = new RecordedReply<>();
    Call call =
        service.handle(
            Method.STREAM_TASKS, CONTEXT, TasksRequest.newBuilder().setQueue("q").build(), reply);
    held.begun.get(0).answer(tasks(KIB));
    held.begun.get(0).answer(tasks(KIB));
    call.ready();
    assertThat(reply.answers).hasSize(2);
    assertThat(held.begun.get(0).events).containsExactly("ready");
    assertThat(admission.requestsUnderWay()).isEqualTo(1);
    call.delivered();
    assertThat(admission.requestsUnderWay()).isZero();
  }

  @Test
  void shouldNotRecurseForCallsThatEndAtOnce() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 100_000, KIB << 10, LONG));
    service.handle(Method.MODIFY, CONTEXT, modify(0), new RecordedReply<>());
    Service refusing = admission.before(answering(reply -> reply.fail(Refusal.invalid("x"))));
    List<RecordedReply<ModifyResponse>> replies = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      replies.add(new RecordedReply<>());
      refusing.handle(Method.MODIFY, CONTEXT, ModifyRequest.getDefaultInstance(), replies.get(i));
    }
    held.begun.get(0).answer(ModifyResponse.getDefaultInstance());
    assertThat(replies).allMatch(RecordedReply::isAnswered);
    assertThat(admission.requestsUnderWay()).isZero();
  }

  @Test
  void shouldContinueWhenACallThrows() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 10, KIB << 10, LONG));
    Service failing =
        admission.before(
            answering(
                reply -> {
                  throw new AssertionError("on purpose");
                }));
    RecordedReply<ModifyResponse> first = new RecordedReply<>();
    failing.handle(Method.MODIFY, CONTEXT, modify(0), first);
    service.handle(Method.MODIFY, CONTEXT, modify(1), new RecordedReply<>());
    RecordedReply<ModifyResponse> second = new RecordedReply<>();
    failing.handle(Method.MODIFY, CONTEXT, modify(2), second);
    service.handle(Method.MODIFY, CONTEXT, modify(3), new RecordedReply<>());
    assertThat(held.begun).hasSize(1);
    held.begun.get(0).answer(ModifyResponse.getDefaultInstance());
    assertThat(held.begun).extracting(call -> call.request).containsExactly(modify(1), modify(3));
    for (RecordedReply<ModifyResponse> reply : List.of(first, second)) {
      assertThat(reply.refusals)
          .singleElement()
          .matches(refusal -> refusal.code() == Status.Code.INTERNAL);
    }
    held.begun.get(1).answer(ModifyResponse.getDefaultInstance());
    assertThat(admission.requestsUnderWay()).isZero();
    service.handle(Method.MODIFY, CONTEXT, modify(4), new RecordedReply<>());
    assertThat(held.begun).hasSize(3);
  }

  @Test
  void shouldContinueWhenAResponseCannotBeSent() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 10, KIB << 10, LONG));
    service.handle(Method.MODIFY, CONTEXT, modify(0), new RecordedReply<>());
    RecordedReply<ModifyResponse> throwing =
        new RecordedReply<>() {
          @Override
          public void fail(Refusal refusal) {
            throw new IllegalStateException("on purpose");
          }
        };
    admission
        .before(answering(reply -> reply.fail(Refusal.invalid("x"))))
        .handle(Method.MODIFY, CONTEXT, modify(1), throwing);
    service.handle(Method.MODIFY, CONTEXT, modify(2), new RecordedReply<>());
    held.begun.get(0).answer(ModifyResponse.getDefaultInstance());
    assertThat(held.begun).hasSize(2);
    assertThat(admission.requestsUnderWay()).isEqualTo(1);
  }

  @Test
  void shouldLimitLargeResponsesToClaimsByRoom() {
    bound(new AdmissionConfig(10, 10, 600 * KIB, 200 * KIB, 10, KIB << 10, LONG));
    Call first =
        service.handle(
            Method.TRY_CLAIM, CONTEXT, ClaimRequest.getDefaultInstance(), new RecordedReply<>());
    Call second =
        service.handle(
            Method.CLAIM, CONTEXT, ClaimRequest.getDefaultInstance(), new RecordedReply<>());
    assertThat(held.begun.get(0).reply.hasRoom(400 * KIB)).isTrue();
    held.begun.get(0).answer(claimed(400 * KIB));
    assertThat(held.begun.get(1).reply.hasRoom(400 * KIB)).isFalse();
    assertThat(held.begun.get(1).reply.hasRoom(KIB)).as("a small one").isTrue();
    first.delivered();
    assertThat(held.begun.get(1).reply.hasRoom(400 * KIB)).isTrue();
    held.begun.get(1).reply.fail(Refusal.invalid("x"));
    second.delivered();
    assertThat(admission.claims().bytes().taken()).isZero();
    assertThat(admission.claimsUnderWay() + admission.requestsUnderWay()).isZero();
  }

  private static ClaimResponse claimed(int bytes) {
    return ClaimResponse.newBuilder()
        .setTask(Task.newBuilder().setValue(ByteString.copyFrom(new byte[bytes])))
        .build();
  }

  @Test
  void shouldKeepLimitsAndLoseNoCallUnderRandomLoad() throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("test.seed=" + seed);
    admission =
        new Admission(
            new AdmissionConfig(4, 4, 8 * KIB, KIB, 1_000, KIB << 10, Duration.ofSeconds(30)));
    AtomicInteger most = new AtomicInteger();
    ExecutorService engine = Executors.newFixedThreadPool(2);
    Service counted =
        admission.before(
            answering(
                reply -> {
                  most.accumulateAndGet(admission.requestsUnderWay(), Math::max);
                  engine.execute(() -> reply.send(ModifyResponse.getDefaultInstance()));
                }));
    AtomicInteger ended = new AtomicInteger();
    int threads = 4;
    int each = 5_000;
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      Random random = new Random(seed + t);
      new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  RecordedReply<ModifyResponse> reply = new RecordedReply<>();
                  Call call =
                      counted.handle(Method.MODIFY, CONTEXT, sized(random.nextInt(4 * KIB)), reply);
                  if (random.nextInt(4) == 0) {
                    call.cancel();
                  } else {
                    until("it is answered", reply::isAnswered);
                    call.delivered();
                  }
                  ended.incrementAndGet();
                }
                done.countDown();
              })
          .start();
    }
    assertThat(done.await(50, TimeUnit.SECONDS)).isTrue();
    engine.shutdown();
    assertThat(engine.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(ended).hasValue(threads * each);
    assertThat(admission.waiting()).isZero();
    assertThat(admission.requestsUnderWay()).isZero();
    assertThat(most.get()).isBetween(1, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"modify", "claimDocs", "claim", "tasks", "queues", "streamTasks"})
  void shouldLeaveRoomForOtherOriginsOfEachKind(String kind) {
    bound(new AdmissionConfig(8, 8, 64 << 20, KIB, 100, KIB << 10, LONG));
    Origin one = Origin.ofAddress();
    Origin two = Origin.ofAddress();
    Origin first = one.connection();
    for (int i = 0; i < 8; i++) {
      ask(kind, first);
    }
    assertThat(held.begun).as("half").hasSize(4);
    for (int i = 0; i < 8; i++) {
      ask(kind, one.connection());
    }
    assertThat(held.begun).as("three quarters, of one address").hasSize(6);
    ask(kind, two.connection());
    assertThat(held.begun).as("another address").hasSize(7);
    ask(kind, Origin.NONE);
    assertThat(held.begun).as("this process itself").hasSize(8);
    assertThat(admission.waiting()).isEqualTo(10);
  }

  @Test
  void shouldLeaveBytesForOtherOrigins() {
    bound(new AdmissionConfig(100, 100, 800 * KIB, KIB, 100, KIB << 10, LONG));
    Origin one = Origin.ofAddress().connection();
    for (int i = 0; i < 8; i++) {
      service.handle(Method.MODIFY, from(one), sized(100 * KIB - 10), new RecordedReply<>());
    }
    assertThat(held.begun).as("half").hasSize(4);
    Origin two = Origin.ofAddress().connection();
    service.handle(Method.MODIFY, from(two), sized(300 * KIB), new RecordedReply<>());
    assertThat(held.begun).as("one alone is not bound to a share").hasSize(5);
  }

  @Test
  void shouldNotDelayOthersByAListingAboveTheShareOfItsConnection() {
    bound(new AdmissionConfig(100, 100, 12 << 20, 4 << 20, 100, KIB << 10, LONG));
    Origin one = Origin.ofAddress().connection();
    service.handle(
        Method.QUEUES, from(one), QueuesRequest.getDefaultInstance(), new RecordedReply<>());
    service.handle(
        Method.QUEUES, from(one), QueuesRequest.getDefaultInstance(), new RecordedReply<>());
    assertThat(held.begun.get(0).reply.holds(3 << 20)).isFalse();
    assertThat(admission.waiting()).isEqualTo(1);
    Origin two = Origin.ofAddress().connection();
    service.handle(
        Method.QUEUES, from(two), QueuesRequest.getDefaultInstance(), new RecordedReply<>());
    assertThat(held.begun).hasSize(3);
    held.begun.get(1).reply.fail(Refusal.invalid("x"));
    assertThat(held.begun).as("it is alone").hasSize(4);
  }

  @Test
  void shouldLeaveRoomInTheQueueForOtherOrigins() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 8, KIB << 10, LONG));
    Origin one = Origin.ofAddress();
    service.handle(Method.MODIFY, from(Origin.ofAddress()), modify(0), new RecordedReply<>());
    Origin first = one.connection();
    List<RecordedReply<ModifyResponse>> replies = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      replies.add(new RecordedReply<>());
      service.handle(Method.MODIFY, from(first), modify(i), replies.get(i));
    }
    assertThat(admission.waiting()).isEqualTo(4);
    assertThat(replies.get(4).refusals.get(0).message())
        .contains("this connection has its share of the queue", "This connection has 0 of");
    RecordedReply<ModifyResponse> other = new RecordedReply<>();
    for (int i = 0; i < 3; i++) {
      service.handle(Method.MODIFY, from(one.connection()), modify(i), other);
    }
    assertThat(other.refusals.get(0).message()).contains("this address has its share of the queue");
    service.handle(Method.MODIFY, from(Origin.ofAddress()), modify(9), new RecordedReply<>());
    assertThat(admission.waiting()).isEqualTo(7);
  }

  @Test
  void shouldAdmitConnectionsRoundRobin() {
    bound(new AdmissionConfig(1, 1, KIB << 10, KIB, 100, KIB << 10, LONG));
    Origin address = Origin.ofAddress();
    List<Origin> origins =
        List.of(address.connection(), address.connection(), Origin.ofAddress().connection());
    service.handle(Method.MODIFY, CONTEXT, modify(99), new RecordedReply<>());
    for (int i = 0; i < 9; i++) {
      service.handle(Method.MODIFY, from(origins.get(i / 3)), modify(i), new RecordedReply<>());
    }
    for (int i = 0; i < 9; i++) {
      held.begun.get(i).answer(ModifyResponse.getDefaultInstance());
    }
    assertThat(held.begun)
        .extracting(call -> ((ModifyRequest) call.request).getClaimantId())
        .containsExactly("c99", "c0", "c6", "c3", "c7", "c1", "c8", "c4", "c2", "c5");
    assertThat(admission.requestsUnderWay()).isEqualTo(1);
  }

  @Test
  void shouldLeaveBytesForOthersBesideUnreadSmallResponses() {
    bound(new AdmissionConfig(100, 100, 100 * KIB, KIB, 100, KIB << 10, LONG));
    Origin one = Origin.ofAddress().connection();
    for (int i = 0; i < 100; i++) {
      service.handle(
          Method.CLAIM, from(one), ClaimRequest.getDefaultInstance(), new RecordedReply<>());
    }
    assertThat(held.begun).hasSizeGreaterThan(10);
    int answered = 0;
    for (HeldService.Held claim : List.copyOf(held.begun)) {
      if (claim.reply.hasRoom(10 * KIB)) {
        claim.answer(claimed(10 * KIB - 100));
        answered++;
      } else {
        claim.reply.fail(Refusal.invalid("x"));
      }
    }
    assertThat(answered).isBetween(5, 6);
  }

  private static CallContext from(Origin origin) {
    return new CallContext("test", Headers.NONE, OptionalLong.empty(), origin);
  }

  private void ask(String kind, Origin origin) {
    CallContext context = from(origin);
    switch (kind) {
      case "modify" -> service.handle(Method.MODIFY, context, modify(1), new RecordedReply<>());
      case "claimDocs" ->
          service.handle(
              Method.CLAIM_DOCS,
              context,
              ClaimDocsRequest.getDefaultInstance(),
              new RecordedReply<>());
      case "claim" ->
          service.handle(
              Method.CLAIM, context, ClaimRequest.getDefaultInstance(), new RecordedReply<>());
      case "tasks" ->
          service.handle(
              Method.TASKS, context, TasksRequest.getDefaultInstance(), new RecordedReply<>());
      case "queues" ->
          service.handle(
              Method.QUEUES, context, QueuesRequest.getDefaultInstance(), new RecordedReply<>());
      default ->
          service.handle(
              Method.STREAM_TASKS,
              context,
              TasksRequest.getDefaultInstance(),
              new RecordedReply<>());
    }
  }

  private void bound(AdmissionConfig config) {
    admission = new Admission(config);
    service = admission.before(held.service);
  }

  /** A service that does the same with each request. */
  private static Service answering(Consumer<Reply<ModifyResponse>> deed) {
    return (Service)
        Proxy.newProxyInstance(
            Service.class.getClassLoader(),
            new Class<?>[] {Service.class},
            (proxy, method, args) -> {
              @SuppressWarnings("unchecked")
              Reply<ModifyResponse> reply = (Reply<ModifyResponse>) args[3];
              deed.accept(reply);
              return Call.done();
            });
  }

  private static ModifyRequest modify(int number) {
    return ModifyRequest.newBuilder().setClaimantId("c" + number).build();
  }

  private static ModifyRequest sized(int bytes) {
    return ModifyRequest.newBuilder().setClaimantId("c".repeat(bytes)).build();
  }

  private static TasksResponse tasks(int bytes) {
    return TasksResponse.newBuilder()
        .addTasks(Task.newBuilder().setValue(ByteString.copyFrom(new byte[bytes])))
        .build();
  }
}
