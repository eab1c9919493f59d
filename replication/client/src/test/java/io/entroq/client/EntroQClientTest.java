package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.client.FakeTransport.Sent;
import io.entroq.client.transport.Method;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TaskID;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which requests are sent and resent. */
class EntroQClientTest {
  private static final long ALL = 0xff;
  private static final Modification INSERT = Modification.insert("inbox", "x");
  private static final Claim CLAIM = Claim.from("inbox");
  private static final ModifyDep TAKEN =
      ModifyDep.newBuilder()
          .setType(ActionType.INSERT)
          .setId(TaskID.newBuilder().setId("a").setVersion(3).setQueue("inbox"))
          .build();

  private FakeTransport transport = new FakeTransport(ALL);
  private EntroQClient client = client(Duration.ofSeconds(20));

  private EntroQClient client(Duration callTimeout) {
    return EntroQClient.over(
        ClientConfig.to("localhost")
            .callTimeout(callTimeout)
            .backoff(Backoff.constant(Duration.ofMillis(1)))
            .build(),
        transport);
  }

  private void serverWith(long features, Duration callTimeout) {
    client.close();
    transport = new FakeTransport(features);
    client = client(callTimeout);
  }

  @AfterEach
  void close() {
    client.close();
  }

  private static <T> T soon(CompletableFuture<T> future) throws Exception {
    return future.get(10, TimeUnit.SECONDS);
  }

  private static ModifyRequest modify(Sent sent) {
    return (ModifyRequest) sent.request();
  }

  private static ClaimRequest claim(Sent sent) {
    assertThat(sent.method() == (Object) Method.CLAIM).as("%s", sent.method()).isTrue();
    return (ClaimRequest) sent.request();
  }

  private static ClaimResponse task() {
    return ClaimResponse.newBuilder()
        .setTask(io.entroq.codec.wire.edge.Task.newBuilder().setId("a").setQueue("inbox"))
        .build();
  }

  @Test
  void shouldRetryUntilThereIsAnAnswer() throws Exception {
    CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT);
    Sent first = transport.next();
    first.fail(Status.Code.UNAVAILABLE, "gone", true);
    Sent second = transport.next();
    second.fail(Status.Code.INTERNAL, "RST_STREAM closed stream", true);
    Sent third = transport.next();
    third.answer(ModifyResponse.getDefaultInstance());

    assertThat(soon(result).isCommitted()).isTrue();
    assertThat(second.request()).isEqualTo(first.request());
    assertThat(third.request()).isEqualTo(first.request());
    assertThat(modify(first).getRequestNumber()).isEqualTo(1);
    assertThat(modify(first).getClientId().size()).isEqualTo(16);
    assertThat(modify(first).getInserts(0).getId()).matches("[0-9a-f]{16}");
    assertThat(modify(first).getInserts(0).getValue().toByteArray())
        .isEqualTo(Value.text("x").toBytes());
  }

  @Test
  void shouldNumberRequestsAndAcknowledgeReplies() throws Exception {
    CompletableFuture<ModifyResult> first = client.modifyAsync(INSERT);
    transport.next().answer(ModifyResponse.getDefaultInstance());
    assertThat(soon(first).isCommitted()).isTrue();
    CompletableFuture<ModifyResult> second = client.modifyAsync(INSERT);
    Sent sent = transport.next();
    assertThat(modify(sent).getRequestNumber()).isEqualTo(2);
    assertThat(modify(sent).getAckedBelow()).isEqualTo(2);
    sent.answer(ModifyResponse.getDefaultInstance());
    assertThat(soon(second).isCommitted()).isTrue();
  }

  @Test
  void shouldUseANewIdIfForgottenBeforeAnyEffect() throws Exception {
    CompletableFuture<ModifyResult> first = client.modifyAsync(INSERT);
    Sent known = transport.next();
    known.answer(ModifyResponse.getDefaultInstance());
    assertThat(soon(first).isCommitted()).isTrue();
    CompletableFuture<ModifyResult> second = client.modifyAsync(INSERT);
    transport.next().fail(Status.Code.UNKNOWN, "client_id: not known any more", true);
    Sent retry = transport.next();
    retry.answer(ModifyResponse.getDefaultInstance());

    assertThat(soon(second).isCommitted()).isTrue();
    assertThat(modify(retry).getClientId()).isNotEqualTo(modify(known).getClientId());
    assertThat(modify(retry).getRequestNumber()).isEqualTo(1);
  }

  @Test
  void shouldUseANewIdIfItsFirstRequestIsRefused() throws Exception {
    CompletableFuture<ModifyResult> first = client.modifyAsync(INSERT);
    CompletableFuture<ModifyResult> second = client.modifyAsync(INSERT);
    Sent refused = transport.next();
    refused.fail(Status.Code.PERMISSION_DENIED, "queue action denied", true);
    assertThatThrownBy(() -> soon(first))
        .hasCauseInstanceOf(EntroQException.PermissionDenied.class);
    // No server may know the client id after that refusal.
    ModifyRequest next = modify(transport.next());
    assertThat(next.getRequestNumber()).isEqualTo(1);
    assertThat(next.getClientId()).isNotEqualTo(modify(refused).getClientId());
    assertThat(second).isNotDone();
  }

  @Test
  void shouldResendRequestsThatWaitForANumberWhenForgotten() throws Exception {
    List<CompletableFuture<ModifyResult>> modifies = new ArrayList<>();
    // More than may be open, so that the last ones wait for a number.
    for (int i = 0; i < RequestWindow.OPEN_MAX + 10; i++) {
      modifies.add(client.modifyAsync(INSERT));
    }
    transport.next().fail(Status.Code.UNKNOWN, "client_id: not known any more", true);
    for (int i = 0; i < modifies.size(); i++) {
      transport.next().answer(ModifyResponse.getDefaultInstance());
    }
    for (CompletableFuture<ModifyResult> modify : modifies) {
      assertThat(soon(modify).isCommitted()).isTrue();
    }
  }

  @Test
  void shouldReportUnknownOutcomeWhenForgottenBetweenAttempts() throws Exception {
    CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT);
    transport.next().fail(Status.Code.UNAVAILABLE, "gone", true);
    transport.next().fail(Status.Code.UNKNOWN, "client_id: not known any more", true);

    assertThat(soon(result)).isInstanceOf(ModifyResult.OutcomeUnknown.class);
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldDistinguishUnsentRequestsFromUnknownOutcomes() throws Exception {
    serverWith(ALL, Duration.ofMillis(100));
    CompletableFuture<ModifyResult> unsent = client.modifyAsync(INSERT);
    while (!unsent.isDone()) {
      failNext(false);
    }
    assertThatThrownBy(() -> soon(unsent))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EntroQException.Unavailable.class);

    CompletableFuture<ModifyResult> sent = client.modifyAsync(INSERT);
    boolean isFirst = true;
    while (!sent.isDone()) {
      failNext(isFirst);
      isFirst = false;
    }
    assertThat(soon(sent)).isInstanceOf(ModifyResult.OutcomeUnknown.class);
  }

  @Test
  void shouldReportUnknownOutcomeAfterALaterRefusal() throws Exception {
    for (Status.Code refusal :
        List.of(
            Status.Code.INVALID_ARGUMENT,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.OUT_OF_RANGE,
            Status.Code.UNIMPLEMENTED,
            Status.Code.PERMISSION_DENIED,
            Status.Code.UNAUTHENTICATED)) {
      CompletableFuture<ModifyResult> modify = client.modifyAsync(INSERT);
      transport.next().fail(Status.Code.UNAVAILABLE, "gone", true);
      transport.next().fail(refusal, "not now", true);
      assertThat(soon(modify)).as("%s", refusal).isInstanceOf(ModifyResult.OutcomeUnknown.class);

      CompletableFuture<List<Task>> claim = client.tryClaimAsync(CLAIM);
      transport.next().fail(Status.Code.UNAVAILABLE, "gone", true);
      transport.next().fail(refusal, "not now", true);
      assertThatThrownBy(() -> soon(claim))
          .as("%s", refusal)
          .hasCauseInstanceOf(EntroQException.OutcomeUnknown.class);
    }
  }

  @Test
  void shouldReportUnknownOutcomeIfTheServerIsFullLater() throws Exception {
    serverWith(ALL, Duration.ofMillis(100));
    CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT);
    transport.next().fail(Status.Code.UNAVAILABLE, "gone", true);
    while (!result.isDone()) {
      transport.next().fail(Status.Code.RESOURCE_EXHAUSTED, "too many", true);
      Thread.sleep(5);
    }
    assertThat(soon(result)).isInstanceOf(ModifyResult.OutcomeUnknown.class);
  }

  @Test
  void shouldTrustALaterDependencyFailure() throws Exception {
    // If the first attempt had taken effect, the server would have repeated that answer.
    CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT);
    transport.next().fail(Status.Code.UNAVAILABLE, "gone", true);
    transport.next().fail(Status.Code.NOT_FOUND, TAKEN);
    assertThat(soon(result)).isInstanceOf(ModifyResult.DependencyFailure.class);
  }

  @Test
  void shouldTakeEitherCodeWithDetailsForADependencyFailure() throws Exception {
    for (Status.Code code : List.of(Status.Code.NOT_FOUND, Status.Code.ABORTED)) {
      CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT);
      transport.next().fail(code, TAKEN);
      assertThat(soon(result))
          .isInstanceOfSatisfying(
              ModifyResult.DependencyFailure.class,
              failure ->
                  assertThat(failure.collisions())
                      .containsExactly(new TaskRef(TaskId.of("a"), 3, "inbox")));
      CompletableFuture<ModifyResult> other = client.modifyAsync(INSERT);
      transport.next().fail(code, "something else", true);
      assertThatThrownBy(() -> soon(other)).hasCauseInstanceOf(EntroQException.Unavailable.class);
    }
  }

  @Test
  void shouldReportUnknownOutcomeIfTheAnswerIsTooLong() throws Exception {
    CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT);
    String tooLong = "gRPC message exceeds maximum size 10: 20";
    transport.next().fail(Status.Code.RESOURCE_EXHAUSTED, tooLong, true);
    assertThat(soon(result)).isInstanceOf(ModifyResult.OutcomeUnknown.class);
    CompletableFuture<List<Task>> read = client.tasksAsync(TaskQuery.in("inbox"));
    transport.next().fail(Status.Code.RESOURCE_EXHAUSTED, tooLong, true);
    assertThatThrownBy(() -> soon(read))
        .hasCauseInstanceOf(EntroQException.ResourceExhausted.class);
  }

  private void failNext(boolean isSent) throws InterruptedException {
    transport.next().fail(Status.Code.UNAVAILABLE, "gone", isSent);
    // Unless it was the last, the next one is a millisecond away.
    Thread.sleep(5);
  }

  @Test
  void shouldNotRetryModifyWithoutIdentity() throws Exception {
    serverWith(0, Duration.ofSeconds(20));
    CompletableFuture<ModifyResult> sent = client.modifyAsync(INSERT);
    Sent only = transport.next();
    assertThat(modify(only).getClientId().isEmpty()).isTrue();
    only.fail(Status.Code.UNAVAILABLE, "gone", true);
    assertThat(soon(sent)).isInstanceOf(ModifyResult.OutcomeUnknown.class);

    CompletableFuture<ModifyResult> unsent = client.modifyAsync(INSERT);
    transport.next().fail(Status.Code.UNAVAILABLE, "no connection", false);
    transport.next().answer(ModifyResponse.getDefaultInstance());
    assertThat(soon(unsent).isCommitted()).isTrue();
  }

  @Test
  void shouldSendBytesAsJsonWithoutByteValues() throws Exception {
    serverWith(0, Duration.ofSeconds(20));
    CompletableFuture<ModifyResult> unused =
        client.modifyAsync(
            Modification.insert(
                "inbox", Value.bytes("{\"x\":1}".getBytes(StandardCharsets.UTF_8))));
    Sent sent = transport.next();
    assertThat(modify(sent).getInserts(0).hasRaw()).isFalse();
    assertThat(modify(sent).getInserts(0).getValue().toByteArray())
        .isEqualTo(Value.json("{\"x\":1}").toBytes());
  }

  @Test
  void shouldClaimSeparatelyWithoutThenClaim() throws Exception {
    serverWith(0, Duration.ofSeconds(20));
    CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT.thenClaim(CLAIM));
    transport.next().answer(ModifyResponse.getDefaultInstance());
    transport.next().answer(task());
    assertThat(soon(result).orThrow().next()).isPresent();
  }

  @Test
  void shouldTellThatItIsDoneThoughTheSeparateClaimFails() throws Exception {
    serverWith(0, Duration.ofSeconds(20));
    CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT.thenClaim(CLAIM));
    transport.next().answer(ModifyResponse.getDefaultInstance());
    transport.next().fail(Status.Code.PERMISSION_DENIED, "no claims", true);
    assertThat(soon(result).orThrow().next()).isEmpty();
  }

  @Test
  void shouldNotRetryInvalidRequests() {
    CompletableFuture<ModifyResult> result = client.modifyAsync(INSERT);
    sentNext().fail(Status.Code.INVALID_ARGUMENT, "inserts[0].queue: bad", true);
    assertThatThrownBy(() -> soon(result))
        .hasCauseInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("inserts[0].queue: bad");
    CompletableFuture<ModifyResult> denied = client.modifyAsync(INSERT);
    sentNext().fail(Status.Code.PERMISSION_DENIED, "queue action denied", true);
    assertThatThrownBy(() -> soon(denied))
        .hasCauseInstanceOf(EntroQException.PermissionDenied.class);
    CompletableFuture<ModifyResult> full = client.modifyAsync(INSERT);
    sentNext().fail(Status.Code.RESOURCE_EXHAUSTED, "too many", true);
    assertThatThrownBy(() -> soon(full))
        .hasCauseInstanceOf(EntroQException.ResourceExhausted.class);
  }

  private Sent sentNext() {
    try {
      return transport.next();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldResendAWaitingClaimUnderOneNumber() throws Exception {
    CompletableFuture<List<Task>> result = client.claimAsync(CLAIM);
    Sent first = transport.next();
    first.fail(Status.Code.DEADLINE_EXCEEDED, "two minutes", true);
    Sent second = transport.next();
    assertThat(claim(second)).isEqualTo(claim(first));
    second.answer(task());
    assertThat(soon(result)).hasSize(1);

    CompletableFuture<List<Task>> unused = client.claimAsync(CLAIM);
    Sent next = transport.next();
    assertThat(claim(next).getClientId()).isEqualTo(claim(first).getClientId());
    assertThat(claim(next).getRequestNumber()).isEqualTo(2);
    assertThat(claim(next).getAckedBelow()).isEqualTo(2);
  }

  @Test
  void shouldUseANewNumberForALostClaim() throws Exception {
    CompletableFuture<List<Task>> result = client.claimAsync(CLAIM);
    Sent first = transport.next();
    first.fail(
        Status.Code.FAILED_PRECONDITION, "request_number: the claim was cancelled before", true);
    Sent second = transport.next();
    assertThat(claim(second).getRequestNumber()).isEqualTo(2);
    assertThat(claim(second).getClientId()).isEqualTo(claim(first).getClientId());
    second.fail(Status.Code.UNKNOWN, "client_id: not known any more", true);
    Sent third = transport.next();
    assertThat(claim(third).getRequestNumber()).isEqualTo(1);
    assertThat(claim(third).getClientId()).isNotEqualTo(claim(first).getClientId());
    third.answer(task());
    assertThat(soon(result)).hasSize(1);
  }

  @Test
  void shouldCancelAClaimByNumberBeforeReusingItsIdentity() throws Exception {
    CompletableFuture<List<Task>> result = client.claimAsync(CLAIM);
    ClaimRequest claim = claim(transport.next());
    assertThat(result.cancel(false)).isTrue();
    Sent cancel = transport.next();
    CancelClaimRequest request = (CancelClaimRequest) cancel.request();
    assertThat(request.getClientId()).isEqualTo(claim.getClientId());
    assertThat(request.getRequestNumber()).isEqualTo(claim.getRequestNumber());

    CompletableFuture<List<Task>> meanwhile = client.claimAsync(CLAIM);
    Sent other = transport.next();
    assertThat(claim(other).getClientId()).isNotEqualTo(claim.getClientId());
    cancel.fail(Status.Code.UNAVAILABLE, "gone", true);
    transport.next().answer(CancelClaimResponse.getDefaultInstance());
    other.answer(task());
    assertThat(soon(meanwhile)).hasSize(1);
  }

  @Test
  void shouldNotWaitForeverForAServer() throws Exception {
    serverWith(ALL, Duration.ofMillis(50));
    CompletableFuture<List<Task>> result = client.claimAsync(CLAIM);
    while (!result.isDone()) {
      failNext(false);
    }
    assertThatThrownBy(() -> soon(result)).hasCauseInstanceOf(EntroQException.Unavailable.class);
  }

  @Test
  void shouldNotWaitForeverBehindAnIntermediary() throws Exception {
    serverWith(ALL, Duration.ofMillis(50));
    CompletableFuture<List<Task>> result = client.claimAsync(CLAIM);
    while (!result.isDone()) {
      failNext(true);
    }
    assertThatThrownBy(() -> soon(result)).hasCauseInstanceOf(EntroQException.Unavailable.class);
  }

  @Test
  void shouldNotWaitForeverForUnknownOutcomes() throws Exception {
    serverWith(ALL, Duration.ofMillis(50));
    CompletableFuture<List<Task>> result = client.claimAsync(CLAIM);
    failUnknown(result);
    assertThatThrownBy(() -> soon(result))
        .hasCauseInstanceOf(EntroQException.Unavailable.class)
        .hasMessageContaining("HTTP status code 500");
  }

  @Test
  void shouldNotWaitForeverForAServerThatFailsOnlyClaims() throws Exception {
    serverWith(ALL, Duration.ofMillis(50));
    CompletableFuture<List<Task>> result = client.claimAsync(CLAIM);
    while (!result.isDone()) {
      CompletableFuture<ModifyResult> other = client.modifyAsync(INSERT);
      failUnknown(other);
      assertThat(soon(other).isCommitted()).isTrue();
    }
    assertThatThrownBy(() -> soon(result)).hasCauseInstanceOf(EntroQException.Unavailable.class);
  }

  /** Fails all claims with a failure and answers other requests, until a future completes. */
  private void failUnknown(CompletableFuture<?> awaited) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!awaited.isDone() && System.nanoTime() < endNs) {
      Sent next = transport.next();
      if (next.method() == (Object) Method.CLAIM) {
        next.fail(Status.Code.UNKNOWN, "HTTP status code 500", true);
      } else if (next.method() == (Object) Method.MODIFY) {
        next.answer(ModifyResponse.getDefaultInstance());
      }
    }
  }

  @Test
  void shouldKeepWaitingForAServerThatAnswersOthers() throws Exception {
    serverWith(ALL, Duration.ofSeconds(1));
    long startNs = System.nanoTime();
    CompletableFuture<List<Task>> result = client.claimAsync(CLAIM);
    transport.next().fail(Status.Code.UNAVAILABLE, "gone", true);
    Sent retry = transport.next();
    while (System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(1_100)) {
      CompletableFuture<ModifyResult> other = client.modifyAsync(INSERT);
      transport.next().answer(ModifyResponse.getDefaultInstance());
      assertThat(soon(other).isCommitted()).isTrue();
      Thread.sleep(20);
    }
    retry.fail(Status.Code.UNAVAILABLE, "gone again", false);
    transport.next().answer(task());
    assertThat(soon(result)).hasSize(1);
  }

  @Test
  void shouldFailOnAnUnreadableAnswer() throws Exception {
    ClaimResponse nameless =
        ClaimResponse.newBuilder()
            .setTask(io.entroq.codec.wire.edge.Task.newBuilder().setQueue("inbox"))
            .build();
    CompletableFuture<List<Task>> waiting = client.claimAsync(CLAIM);
    transport.next().answer(nameless);
    assertThatThrownBy(() -> soon(waiting)).hasCauseInstanceOf(EntroQException.Unavailable.class);
    // The task is returned.
    Sent cancel = transport.next();
    assertThat(cancel.request()).isInstanceOf(CancelClaimRequest.class);
    cancel.answer(CancelClaimResponse.getDefaultInstance());

    CompletableFuture<List<Task>> claim = client.tryClaimAsync(CLAIM);
    transport.next().answer(nameless);
    assertThatThrownBy(() -> soon(claim))
        .hasCauseInstanceOf(EntroQException.OutcomeUnknown.class)
        .hasMessageContaining("unreadable");
    CompletableFuture<ModifyResult> modify = client.modifyAsync(INSERT);
    transport.next().answer(ModifyResponse.newBuilder().addInserted(nameless.getTask()).build());
    assertThat(soon(modify)).isInstanceOf(ModifyResult.OutcomeUnknown.class);
  }

  @Test
  void shouldApplyTheCallTimeoutWhileWaitingForANumber() throws Exception {
    serverWith(ALL, Duration.ofMillis(200));
    CompletableFuture<ModifyResult> first = client.modifyAsync(INSERT);
    CompletableFuture<ModifyResult> behind = client.modifyAsync(INSERT);
    assertThatThrownBy(() -> soon(behind)).hasCauseInstanceOf(EntroQException.Unavailable.class);
    assertThat(first).isNotDone();
    assertThat(transport.waiting()).isEqualTo(1);
    transport.next().answer(ModifyResponse.getDefaultInstance());
    assertThat(soon(first).isCommitted()).isTrue();
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldEndABoundedClaimWithoutServerDeadlines() throws Exception {
    serverWith(0, Duration.ofSeconds(20));
    CompletableFuture<List<Task>> result =
        client.claimAsync(CLAIM.withMaxWait(Duration.ofMillis(1)));
    Sent sent = transport.next();
    assertThat(claim(sent).getDeadlineMs()).isZero();
    Thread.sleep(2);
    sent.fail(Status.Code.DEADLINE_EXCEEDED, "over", true);
    assertThat(soon(result)).isEmpty();
  }

  @Test
  void shouldFailOpenRequestsOnClose() throws Exception {
    CompletableFuture<ModifyResult> first = client.modifyAsync(INSERT);
    CompletableFuture<ModifyResult> behind = client.modifyAsync(INSERT);
    CompletableFuture<List<Task>> claim = client.claimAsync(CLAIM);
    client.close();
    for (CompletableFuture<?> future : List.of(first, behind, claim, client.timeAsync())) {
      assertThatThrownBy(() -> soon(future)).hasCauseInstanceOf(EntroQException.Closed.class);
    }
  }
}
