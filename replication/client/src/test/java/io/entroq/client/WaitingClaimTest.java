package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.worker.Backoff;
import io.entroq.client.FakeTransport.Sent;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.ServerFeatures;
import io.entroq.codec.wire.edge.CancelClaimRequest;
import io.entroq.codec.wire.edge.CancelClaimResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which answer ends a waiting claim that was sent more than once. */
class WaitingClaimTest {
  private static final String CANCELLED = "request_number: the claim was cancelled before";
  private static final String FORGOTTEN = "client_id: not known any more";

  private final FakeTransport transport = new FakeTransport(0);
  private final Dispatcher dispatcher =
      new Dispatcher(transport, Backoff.constant(Duration.ofMillis(1)), Duration.ofSeconds(20));
  private final ClaimIdentities identities = new ClaimIdentities();

  @AfterEach
  void close() {
    dispatcher.close();
  }

  private WaitingClaim waiting(Dispatcher over, long features) {
    Claim claim = Claim.from("inbox");
    ClaimRequest terms = ClaimRequest.newBuilder().addQueues("inbox").build();
    return new WaitingClaim(over, identities, new ServerFeatures(features), claim, terms, 120_000);
  }

  private CompletableFuture<List<Task>> claim(Dispatcher over, long features) {
    return waiting(over, features).start();
  }

  private CompletableFuture<List<Task>> claim(Dispatcher over) {
    return claim(over, 0xff);
  }

  private CompletableFuture<List<Task>> claim() {
    return claim(dispatcher);
  }

  private Sent next() throws InterruptedException {
    Sent sent = transport.next();
    assertThat(sent.method() == (Object) Method.CLAIM).as("%s", sent.method()).isTrue();
    return sent;
  }

  /** Resends the claim to another server. */
  private Sent moved() throws InterruptedException {
    dispatcher.failOver();
    return next();
  }

  private static long number(Sent sent) {
    return ((ClaimRequest) sent.request()).getRequestNumber();
  }

  private static void answer(Sent sent, String id) {
    sent.answer(
        ClaimResponse.newBuilder()
            .setTask(io.entroq.codec.wire.edge.Task.newBuilder().setId(id).setQueue("inbox"))
            .build());
  }

  private static String taken(CompletableFuture<List<Task>> claim) throws Exception {
    List<Task> tasks = claim.get(30, TimeUnit.SECONDS);
    assertThat(tasks).hasSize(1);
    return tasks.get(0).id().toString();
  }

  @Test
  void shouldKeepNothingUntilItsLimitOnceItIsOver() throws Exception {
    CompletableFuture<List<Task>> answered = waiting(dispatcher, 0xff).failAfter(3_600_000).start();
    assertThat(dispatcher.scheduled()).isEqualTo(1);
    answer(next(), "a");
    assertThat(taken(answered)).isEqualTo("a");
    assertThat(dispatcher.scheduled()).isZero();
    CompletableFuture<List<Task>> left = waiting(dispatcher, 0xff).failAfter(3_600_000).start();
    Sent unused = next();
    left.cancel(false);
    assertThat(dispatcher.scheduled()).isZero();
  }

  @Test
  void shouldEndWithTheFirstAnswer() throws Exception {
    CompletableFuture<List<Task>> claim = claim();
    Sent first = next();
    Sent second = moved();
    assertThat(second.request()).isEqualTo(first.request());
    answer(first, "a");
    assertThat(taken(claim)).isEqualTo("a");
    answer(second, "b");
    assertThat(taken(claim)).isEqualTo("a");
  }

  @Test
  void shouldIgnoreAnAnswerToItsPreviousNumber() throws Exception {
    CompletableFuture<List<Task>> claim = claim();
    Sent first = next();
    moved().fail(Status.Code.FAILED_PRECONDITION, CANCELLED, true);
    Sent third = next();
    assertThat(number(third)).isEqualTo(2);

    answer(first, "late");
    assertThat(claim).isNotDone();
    answer(third, "a");
    assertThat(taken(claim)).isEqualTo("a");
  }

  @Test
  void shouldIgnoreAnAnswerToItsPreviousNumberWhileWaitingForRetry() throws Exception {
    try (Dispatcher slow =
        new Dispatcher(transport, Backoff.constant(Duration.ofDays(1)), Duration.ofSeconds(20))) {
      CompletableFuture<List<Task>> claim = claim(slow);
      Sent first = next();
      slow.failOver();
      next().fail(Status.Code.FAILED_PRECONDITION, CANCELLED, true);
      answer(first, "late");
      assertThat(claim).isNotDone();
    }
  }

  @Test
  void shouldIgnoreAnAnswerToTheSameNumberOfItsPreviousId() throws Exception {
    CompletableFuture<List<Task>> claim = claim();
    Sent first = next();
    moved().fail(Status.Code.UNKNOWN, FORGOTTEN, true);
    Sent third = next();
    assertThat(number(third)).isEqualTo(number(first));

    answer(first, "late");
    assertThat(claim).isNotDone();
    answer(third, "a");
    assertThat(taken(claim)).isEqualTo("a");
  }

  @Test
  void shouldIgnoreAFailureOfItsPreviousNumber() throws Exception {
    CompletableFuture<List<Task>> claim = claim();
    Sent first = next();
    Sent second = moved();
    first.fail(Status.Code.FAILED_PRECONDITION, CANCELLED, true);
    assertThat(transport.waiting()).isZero();
    second.fail(Status.Code.UNAVAILABLE, "gone", true);
    Sent third = next();
    assertThat(number(third)).isEqualTo(number(first));
    answer(third, "a");
    assertThat(taken(claim)).isEqualTo("a");
  }

  @Test
  void shouldNotResendOnFailoverWhileWaitingForRetry() throws Exception {
    try (Dispatcher slow =
        new Dispatcher(transport, Backoff.constant(Duration.ofDays(1)), Duration.ofSeconds(20))) {
      CompletableFuture<List<Task>> claim = claim(slow);
      next().fail(Status.Code.UNAVAILABLE, "gone", true);
      slow.failOver();
      assertThat(transport.waiting()).isZero();
      assertThat(claim).isNotDone();
    }
  }

  @Test
  void shouldFailIfThereIsNoTokenForItsNextAttempt() throws Exception {
    CompletableFuture<List<Task>> claim = claim();
    Sent first = next();
    transport.loseToken();
    first.fail(Status.Code.UNAVAILABLE, "gone", true);
    assertThat(claim)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withCauseInstanceOf(EntroQException.PermissionDenied.class);
    assertThat(dispatcher.hasOpen()).isFalse();
  }

  @Test
  void shouldReuseItsIdentityForTheNextClaim() throws Exception {
    CompletableFuture<List<Task>> claim = claim();
    next().fail(Status.Code.FAILED_PRECONDITION, CANCELLED, true);
    answer(next(), "a");
    assertThat(taken(claim)).isEqualTo("a");

    CompletableFuture<List<Task>> behind = claim();
    Sent sent = next();
    assertThat(number(sent)).isEqualTo(3);
    assertThat(behind).isNotDone();
  }

  @Test
  void shouldReturnTasksThatArriveAfterTheEnd() throws Exception {
    CompletableFuture<List<Task>> claim = claim();
    Sent sent = next();
    assertThat(claim.cancel(false)).isTrue();
    Sent cancel = transport.next();
    answer(sent, "late");
    assertThat(((CancelClaimRequest) cancel.request()).getRequestNumber()).isEqualTo(1);

    CompletableFuture<List<Task>> meanwhile = claim();
    assertThat(number(next())).as("another identity").isEqualTo(1);
    cancel.answer(CancelClaimResponse.getDefaultInstance());
    CompletableFuture<List<Task>> behind = claim();
    assertThat(number(next())).as("the first identity").isEqualTo(2);
    assertThat(meanwhile).isNotDone();
    assertThat(behind).isNotDone();
  }

  @Test
  void shouldNotFailOverWithoutIdentity() throws Exception {
    CompletableFuture<List<Task>> claim = claim(dispatcher, 0);
    Sent sent = next();
    dispatcher.failOver();
    assertThat(transport.waiting()).isZero();
    answer(sent, "a");
    assertThat(taken(claim)).isEqualTo("a");
  }
}
