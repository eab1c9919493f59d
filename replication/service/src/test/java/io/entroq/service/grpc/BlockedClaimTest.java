package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims that wait: they end with a task or with an error, and dead ones hold none. */
class BlockedClaimTest {
  private static final MethodDescriptor<ClaimRequest, ClaimResponse> CLAIM =
      WireClient.method(
          "api.EntroQ/Claim",
          ClaimRequest.getDefaultInstance(),
          ClaimResponse.getDefaultInstance());

  /** Short, as the answer to a claim that is aborted may be lost. */
  private static final int ABORTED_LEASE_MS = 1_000;

  private final ServedQueue served =
      new ServedQueue(EmbeddedConfig.inMemory().waitingClaimsMax(100).build());
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldBeAnsweredAsSoonAsThereIsATask() throws Exception {
    ListenableFuture<ClaimResponse> claim = claim(served.client.channel, 120_000);
    awaitBlocked(1);
    v1.insert("q", "t");
    Task task = claim.get(30, TimeUnit.SECONDS).getTask();
    assertThat(task.getVersion()).isEqualTo(1);
    assertThat(task.getClaims()).isEqualTo(1);
    assertThat(served.server.blockedClaims()).isZero();
    // What is delivered stays its caller's.
    assertThat(v1.task("t")).isEqualTo(task);
  }

  @Test
  void shouldBeAnsweredWhenATaskIsDue() throws Exception {
    v1.modify(
        ModifyRequest.newBuilder()
            .addInserts(V1.data("q").setAtMs(System.currentTimeMillis() + 300)));
    assertThat(claim(served.client.channel, 120_000).get(30, TimeUnit.SECONDS).hasTask()).isTrue();
  }

  @Test
  void shouldEndWithItsDeadlineAndNotBefore() {
    long start = System.nanoTime();
    ListenableFuture<ClaimResponse> claim = claim(served.client.channel, 300);
    assertThat(code(claim)).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(295));
    until("the claim has ended", () -> served.server.blockedClaims() == 0);
    v1.insert("q", "t");
    assertThat(v1.tryClaim("c", "q").getTask().getClaims()).isEqualTo(1);
  }

  @Test
  void shouldFindATaskThatWasInsertedOnceAmongClaimsAbortedAllTheTime() throws Exception {
    int atOnce = 0;
    for (int round = 0; round < 5; round++) {
      String id = "t" + round;
      Thread inserter =
          new Thread(
              () -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(217));
                v1.insert("q", id);
              });
      inserter.start();
      Task task = claimAborting(Duration.ofMillis(50), Duration.ofSeconds(40));
      inserter.join();
      assertThat(task.getId()).isEqualTo(id);
      atOnce += task.getClaims() == 1 ? 1 : 0;
      v1.modify(ModifyRequest.newBuilder().setClaimantId("c").addDeletes(V1.ref(task)));
    }
    // An answer that had left when its call was aborted is lost, and its lease has to run out. That
    // is chance, and more often so on a busy machine.
    assertThat(atOnce).as("found without waiting for a lease to run out").isPositive();
  }

  @Test
  void shouldFindItAlsoWhenClaimsAreAbortedAsFastAsTheyCome() throws Exception {
    for (int round = 0; round < 50; round++) {
      String id = "t" + round;
      List<ListenableFuture<ClaimResponse>> claims = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        claims.add(claim(served.client.channel, 120_000));
      }
      v1.insert("q", id);
      claims.forEach(claim -> claim.cancel(true));
      List<Task> delivered = new ArrayList<>();
      for (ListenableFuture<ClaimResponse> claim : claims) {
        if (!claim.isCancelled()) {
          delivered.add(claim.get().getTask());
        }
      }
      // An answer that had left when its call was aborted is lost, and its lease has to run out.
      until("it is known whose it is", () -> served.server.blockedClaims() == 0);
      assertThat(delivered).hasSizeLessThanOrEqualTo(1);
      Task task = v1.task(id);
      if (!delivered.isEmpty()) {
        assertThat(task).isEqualTo(delivered.get(0));
      }
      v1.modify(
          ModifyRequest.newBuilder()
              .setClaimantId(task.getClaimantId())
              .addDeletes(V1.ref(v1.task(id))));
    }
  }

  @Test
  void shouldLetGoOfClaimsWhoseConnectionHasBroken() {
    WireClient other = served.connect();
    List<ListenableFuture<ClaimResponse>> claims = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      claims.add(claim(other.channel, 120_000));
    }
    awaitBlocked(10);
    other.close();
    awaitBlocked(0);
    assertThat(claims).noneMatch(BlockedClaimTest::isAnswered);
    v1.insert("q", "t");
    assertThat(v1.tryClaim("c", "q").getTask().getVersion()).isEqualTo(1);
  }

  @Test
  void shouldRefuseMoreThanMayWaitAndServeTheRest() throws Exception {
    List<ListenableFuture<ClaimResponse>> claims = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      claims.add(claim(served.client.channel, 120_000));
    }
    awaitBlocked(100);
    StatusRuntimeException refused = refusal(() -> v1.claim(V1.claim("c", "q").build()));
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refused.getStatus().getDescription()).contains("limit --waiting-claims-max: ");

    for (int i = 0; i < 100; i++) {
      v1.insert("q", "t" + i);
    }
    List<String> ids = new ArrayList<>();
    for (ListenableFuture<ClaimResponse> claim : claims) {
      ids.add(claim.get(30, TimeUnit.SECONDS).getTask().getId());
    }
    assertThat(ids).doesNotHaveDuplicates().hasSize(100);
    // All of their room is free again.
    for (int i = 0; i < 101; i++) {
      v1.insert("q", "u" + i);
      assertThat(v1.claim(V1.claim("c", "q").build()).hasTask()).isTrue();
    }
  }

  @Test
  void shouldAskCallersToComeAgainWhenTheServerEnds() {
    List<ListenableFuture<ClaimResponse>> claims = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      claims.add(claim(served.client.channel, 120_000));
    }
    awaitBlocked(5);
    assertThat(served.server.drain(Duration.ofSeconds(10))).isTrue();
    assertThat(claims).allMatch(claim -> code(claim) == Status.Code.DEADLINE_EXCEEDED);
    assertThat(served.server.blockedClaims()).isZero();
  }

  /** They would take a deadline for their own, protocol 2, 6.20. */
  @Test
  void shouldSayToNewerCallersThatTheServerEnds() {
    try (WireClient newer = WireClient.declaring(served.server.port(), "2")) {
      ListenableFuture<ClaimResponse> claim = claim(newer.channel, 120_000);
      awaitBlocked(1);
      assertThat(served.server.drain(Duration.ofSeconds(10))).isTrue();
      assertThat(code(claim)).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(served.server.blockedClaims()).isZero();
    }
  }

  @Test
  void shouldNotTakeAnEngineThatEndsForAnEmptyQueue() {
    ListenableFuture<ClaimResponse> claim = claim(served.client.channel, 120_000);
    awaitBlocked(1);
    served.queue.close();
    assertThat(code(claim)).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refusal(() -> v1.tryClaim("c", "q")).getStatus().getCode())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  private Task claimAborting(Duration each, Duration patience) throws Exception {
    long end = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() - end < 0) {
      ListenableFuture<ClaimResponse> claim =
          claim(served.client.channel, 120_000, V1.claim("c", "q").setDurationMs(ABORTED_LEASE_MS));
      try {
        return claim.get(each.toMillis(), TimeUnit.MILLISECONDS).getTask();
      } catch (TimeoutException e) {
        if (!claim.cancel(true)) {
          return claim.get().getTask();
        }
      }
    }
    throw new AssertionError("no task came in time");
  }

  private static ListenableFuture<ClaimResponse> claim(Channel channel, long deadlineMs) {
    return claim(channel, deadlineMs, V1.claim("c", "q"));
  }

  private static ListenableFuture<ClaimResponse> claim(
      Channel channel, long deadlineMs, ClaimRequest.Builder claim) {
    return ClientCalls.futureUnaryCall(
        channel.newCall(
            CLAIM, CallOptions.DEFAULT.withDeadlineAfter(deadlineMs, TimeUnit.MILLISECONDS)),
        claim.build());
  }

  private void awaitBlocked(int claims) {
    until(claims + " claims wait", () -> served.server.blockedClaims() == claims);
  }

  private static boolean isAnswered(ListenableFuture<ClaimResponse> claim) {
    return code(claim) == Status.Code.OK;
  }

  private static Status.Code code(ListenableFuture<ClaimResponse> claim) {
    try {
      assertThat(claim.get(30, TimeUnit.SECONDS).hasTask()).isTrue();
      return Status.Code.OK;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
