package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.worker.Backoff;
import io.entroq.client.FakeTransport.Sent;
import io.entroq.client.transport.Method;
import io.entroq.codec.wire.edge.CancelClaimResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls with a time of their own. Transports fail what is out of time. */
class CallTimeTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final long SHORT_MS = 40;
  private static final Modification INSERT = Modification.insert("inbox", "x");
  private static final Claim CLAIM = Claim.from("inbox");

  private final FakeTransport transport = new FakeTransport(0xff);
  private final EntroQClient client =
      EntroQClient.over(
          ClientConfig.to("localhost").backoff(Backoff.constant(Duration.ofMillis(1))).build(),
          transport);
  private final EntroQ queue = client.withTimeout(Duration.ofMillis(SHORT_MS));

  @AfterEach
  void close() {
    client.close();
  }

  private Sent next() throws InterruptedException {
    Sent sent = transport.next();
    assertThat(sent.timeoutMs()).isBetween(1L, SHORT_MS);
    return sent;
  }

  /** Fails each attempt until the call has ended. */
  private void failUntil(CompletableFuture<?> result, boolean isSent) throws InterruptedException {
    while (!result.isDone()) {
      if (transport.waiting() > 0) {
        next().fail(Status.Code.UNAVAILABLE, "gone", isSent);
      }
      Thread.onSpinWait();
    }
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldNotKnowWhetherWhatWasSentIsDone() throws Exception {
    CompletableFuture<ModifyResult> result = queue.modifyAsync(INSERT);
    failUntil(result, true);
    assertThat(result).succeedsWithin(SOON).isInstanceOf(ModifyResult.OutcomeUnknown.class);
    CompletableFuture<List<Task>> claim = queue.tryClaimAsync(CLAIM);
    failUntil(claim, true);
    assertThatThrownBy(claim::join).hasCauseInstanceOf(EntroQException.OutcomeUnknown.class);
  }

  @Test
  void shouldKnowThatNothingIsDoneOfWhatWasNotSent() throws Exception {
    CompletableFuture<ModifyResult> result = queue.modifyAsync(INSERT);
    failUntil(result, false);
    assertThatThrownBy(result::join)
        .hasCauseInstanceOf(EntroQException.Unavailable.class)
        .hasMessageContaining("gone");
  }

  @Test
  void shouldRefuseAReadThatIsOutOfTime() throws Exception {
    CompletableFuture<?> result = queue.queuesAsync(QueueQuery.all());
    failUntil(result, true);
    assertThatThrownBy(result::join).hasCauseInstanceOf(EntroQException.Unavailable.class);
  }

  @Test
  void shouldNotLetLongerCallsDelayAShortOne() throws Exception {
    // The first request is sent alone, and the others wait for it.
    CompletableFuture<ModifyResult> first = client.modifyAsync(INSERT);
    CompletableFuture<ModifyResult> second = client.modifyAsync(INSERT);
    CompletableFuture<ModifyResult> shorter = queue.modifyAsync(INSERT);
    assertThat(shorter)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(EntroQException.Unavailable.class);
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    assertThat(transport.next().timeoutMs()).isGreaterThan(SHORT_MS);
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldEndAClaimThoughTheServerSaysNothing() throws Exception {
    CompletableFuture<List<Task>> claim = queue.claimAsync(CLAIM);
    Sent sent = transport.next();
    // The server ends it by itself, too, if the cancel is lost. Its time was 1 ms.
    assertThat(((ClaimRequest) sent.request()).getDeadlineMs()).isPositive();
    assertThat(claim)
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(EntroQException.TimedOut.class)
        .withMessageMatching("no task in \\[inbox] within \\d+ ms");
    assertThat(transport.next().method() == (Object) Method.CANCEL_CLAIM).isTrue();
  }

  @Test
  void shouldEndAClaimThatTheServerEnds() throws Exception {
    CompletableFuture<List<Task>> claim = client.withTimeout(SOON).claimAsync(CLAIM);
    transport.next().answer(ClaimResponse.getDefaultInstance());
    assertThat(claim)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(EntroQException.TimedOut.class);
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldSayWhyAClaimReachesNobody() throws Exception {
    CompletableFuture<List<Task>> claim = queue.claimAsync(CLAIM);
    while (!claim.isDone()) {
      if (transport.waiting() > 0) {
        Sent sent = transport.next();
        if (sent.method() == (Object) Method.CANCEL_CLAIM) {
          sent.answer(CancelClaimResponse.getDefaultInstance());
        } else {
          sent.fail(Status.Code.UNAVAILABLE, "gone", false);
        }
      }
    }
    assertThatThrownBy(claim::join)
        .hasCauseInstanceOf(EntroQException.Unavailable.class)
        .hasMessageContaining("gone");
  }

  @Test
  void shouldLeaveAClaimItsOwnShorterWait() throws Exception {
    CompletableFuture<List<Task>> claim =
        client.withTimeout(SOON).claimAsync(CLAIM.withMaxWait(Duration.ofSeconds(1)));
    transport.next().answer(ClaimResponse.getDefaultInstance());
    assertThat(claim).succeedsWithin(SOON).isEqualTo(List.of());
  }
}
