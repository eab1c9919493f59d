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
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.worker.Backoff;
import io.entroq.client.FakeTransport.Sent;
import io.entroq.client.transport.Method;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client whose server is away when it begins. */
class ConnectLaterTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Claim CLAIM = Claim.from("inbox");

  private final FakeTransport transport = new FakeTransport(0xff);
  private final EntroQClient client =
      EntroQClient.over(
          ClientConfig.to("localhost")
              .claimant("me")
              .callTimeout(SOON)
              .backoff(Backoff.constant(Duration.ofMillis(1)))
              .build(),
          transport);

  ConnectLaterTest() {
    transport.away();
  }

  @AfterEach
  void close() {
    client.close();
  }

  private Sent question() throws InterruptedException {
    Sent sent = transport.next();
    assertThat(sent.asksForFeatures()).isTrue();
    return sent;
  }

  private static void refuseConnection(Sent sent) {
    sent.fail(Status.Code.UNAVAILABLE, "Connection refused", false);
  }

  private static ClaimResponse task() {
    return ClaimResponse.newBuilder()
        .setTask(io.entroq.codec.wire.edge.Task.newBuilder().setId("a").setQueue("inbox"))
        .build();
  }

  @Test
  void shouldAskNothingBeforeItIsUsed() {
    assertThat(client.claimant()).isEqualTo("me");
    EntroQ unused = client.withTimeout(SHORT);
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldConnectOnceForAllCalls() throws Exception {
    CompletableFuture<ModifyResult> insert =
        client.modifyAsync(Modification.insert("inbox", "hello"));
    CompletableFuture<Map<String, Long>> read = client.queuesAsync(QueueQuery.all());
    question().answer(transport.features());
    Sent first = transport.next();
    Sent second = transport.next();
    Sent modify = first.method() == (Object) Method.MODIFY ? first : second;
    Sent queues = modify == first ? second : first;
    modify.answer(ModifyResponse.getDefaultInstance());
    queues.answer(QueuesResponse.getDefaultInstance());
    assertThat(insert).succeedsWithin(SOON).matches(ModifyResult::isCommitted);
    assertThat(read).succeedsWithin(SOON).isEqualTo(Map.of());
    assertThat(client.hasPolicies()).isFalse();
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldGoOnUntilAServerAnswers() throws Exception {
    CompletableFuture<Map<String, Long>> read = client.queuesAsync(QueueQuery.all());
    for (int i = 0; i < 5; i++) {
      refuseConnection(question());
    }
    assertThat(read).isNotDone();
    question().answer(transport.features());
    transport.next().answer(QueuesResponse.getDefaultInstance());
    assertThat(read).succeedsWithin(SOON).isEqualTo(Map.of());
  }

  /** As when each question has no answer within the connect timeout. */
  @Test
  void shouldAskAnewWhenAQuestionIsOutOfTime() throws Exception {
    try (EntroQClient asking =
        EntroQClient.over(
            ClientConfig.to("localhost")
                .connectTimeout(Duration.ofMillis(1))
                .backoff(Backoff.constant(Duration.ofMillis(1)))
                .build(),
            transport)) {
      CompletableFuture<Map<String, Long>> read = asking.queuesAsync(QueueQuery.all());
      for (int i = 0; i < 5; i++) {
        question().fail(Status.Code.DEADLINE_EXCEEDED, "out of time", true);
      }
      question().answer(transport.features());
      transport.next().answer(QueuesResponse.getDefaultInstance());
      assertThat(read).succeedsWithin(SOON).isEqualTo(Map.of());
    }
  }

  @Test
  void shouldEndWhatWaitsBetweenTwoQuestionsWhenItIsClosed() throws Exception {
    CompletableFuture<Map<String, Long>> read;
    try (EntroQClient asking =
        EntroQClient.over(
            ClientConfig.to("localhost")
                .connectTimeout(Duration.ofMillis(1))
                .backoff(Backoff.constant(Duration.ofHours(1)))
                .build(),
            transport)) {
      read = asking.queuesAsync(QueueQuery.all());
      question().fail(Status.Code.UNAVAILABLE, "gone", false);
      assertThat(read).isNotDone();
    }
    assertThat(read)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(EntroQException.Closed.class);
  }

  @Test
  void shouldFailACallThatIsOutOfTimeAndServeTheNext() throws Exception {
    CompletableFuture<ModifyResult> insert =
        client.withTimeout(SHORT).modifyAsync(Modification.insert("inbox", "hello"));
    CompletableFuture<Map<String, Long>> read = client.queuesAsync(QueueQuery.all());
    refuseConnection(question());
    assertThat(insert)
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(EntroQException.Unavailable.class)
        .withMessage(
            "no answer from localhost:37706: the server cannot be reached: UNAVAILABLE:"
                + " Connection refused");
    assertThat(read).isNotDone();
    question().answer(transport.features());
    // The modification is not sent after its time.
    Sent sent = transport.next();
    assertThat(sent.method() == (Object) Method.QUEUES).isTrue();
    sent.answer(QueuesResponse.getDefaultInstance());
    assertThat(read).succeedsWithin(SOON);
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldFailACallThoughTheServerSaysNothing() {
    assertThatThrownBy(() -> client.withTimeout(SHORT).hasPolicies())
        .isInstanceOf(EntroQException.Unavailable.class)
        .hasMessage("no answer from localhost:37706: nothing for 50 ms");
    assertThatThrownBy(
            () ->
                client
                    .withTimeout(SHORT)
                    .forEachTask(io.entroq.api.TaskQuery.in("inbox"), task -> {}))
        .isInstanceOf(EntroQException.Unavailable.class);
  }

  @Test
  void shouldGiveACallTheRestOfItsTime() throws Exception {
    CompletableFuture<Map<String, Long>> read =
        client.withTimeout(Duration.ofSeconds(30)).queuesAsync(QueueQuery.all());
    Sent question = question();
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < 5_000_000) {
      Thread.onSpinWait();
    }
    question.answer(transport.features());
    Sent sent = transport.next();
    assertThat(sent.timeoutMs()).isBetween(1L, 29_996L);
    sent.answer(QueuesResponse.getDefaultInstance());
    assertThat(read).succeedsWithin(SOON);
  }

  @Test
  void shouldFailWhatWaitsIfTheServerRefusesAndAskAgainForTheNext() throws Exception {
    CompletableFuture<Map<String, Long>> read = client.queuesAsync(QueueQuery.all());
    CompletableFuture<List<Task>> claim = client.claimAsync(CLAIM);
    question().fail(Status.Code.UNAUTHENTICATED, "no token", true);
    for (CompletableFuture<?> refused : List.of(read, claim)) {
      assertThat(refused)
          .failsWithin(SOON)
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(EntroQException.PermissionDenied.class)
          .withMessage("no token");
    }
    CompletableFuture<Map<String, Long>> again = client.queuesAsync(QueueQuery.all());
    question().answer(transport.features());
    transport.next().answer(QueuesResponse.getDefaultInstance());
    assertThat(again).succeedsWithin(SOON);
  }

  @Test
  void shouldNotSendAClaimThatWasCancelledBefore() throws Exception {
    CompletableFuture<List<Task>> claim = client.claimAsync(CLAIM);
    Sent question = question();
    claim.cancel(false);
    question.answer(transport.features());
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldCancelAClaimAtTheServer() throws Exception {
    CompletableFuture<List<Task>> claim = client.claimAsync(CLAIM);
    question().answer(transport.features());
    assertThat(transport.next().method() == (Object) Method.CLAIM).isTrue();
    claim.cancel(false);
    assertThat(transport.next().method() == (Object) Method.CANCEL_CLAIM).isTrue();
  }

  @Test
  void shouldReleaseWhatACancelledClaimGetsThatDidNotWait() throws Exception {
    CompletableFuture<List<Task>> claim = client.claimAsync(CLAIM.withMaxWait(Duration.ZERO));
    question().answer(transport.features());
    Sent sent = transport.next();
    claim.cancel(false);
    sent.answer(task());
    assertThat(transport.next().method() == (Object) Method.MODIFY).isTrue();
  }

  @Test
  void shouldClaimOnceConnected() throws Exception {
    CompletableFuture<List<Task>> claim = client.claimAsync(CLAIM);
    question().answer(transport.features());
    transport.next().answer(task());
    assertThat(claim)
        .succeedsWithin(SOON)
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .hasSize(1);
  }

  @Test
  void shouldCountTheWaitOfAClaimFromItsCall() throws Exception {
    CompletableFuture<List<Task>> tooLate = client.claimAsync(CLAIM.withMaxWait(SHORT));
    Sent question = question();
    assertThat(tooLate)
        .failsWithin(SOON)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(EntroQException.Unavailable.class);
    CompletableFuture<List<Task>> claim = client.claimAsync(CLAIM.withMaxWait(SOON));
    question.answer(transport.features());
    ClaimRequest sent = (ClaimRequest) transport.next().request();
    // The server's time was 1 ms.
    assertThat(sent.getDeadlineMs()).isBetween(1L, SOON.toMillis() + 30_000);
    assertThat(claim).isNotDone();
  }

  @Test
  void shouldBeginAFeedOnceConnected() throws Exception {
    FeedCursor feed = client.openFeed(FeedQuery.fromNow().build());
    assertThat(feed.poll()).isEmpty();
    CountDownLatch woken = new CountDownLatch(1);
    assertThat(feed.await(woken::countDown)).isTrue();
    Sent question = question();
    assertThat(transport.waitingTails()).isZero();
    question.answer(transport.features());
    assertThat(transport.nextTail()).isNotNull();
    feed.close();
  }

  @Test
  void shouldFailAFeedIfTheServerRefuses() throws Exception {
    FeedCursor feed = client.openFeed(FeedQuery.fromNow().build());
    CountDownLatch woken = new CountDownLatch(1);
    assertThat(feed.await(woken::countDown)).isTrue();
    question().fail(Status.Code.UNIMPLEMENTED, "another server", true);
    woken.await();
    assertThatThrownBy(feed::poll)
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessage("another server");
  }

  @Test
  void shouldForgetWhatHasEndedWhileTheServerIsAway() {
    ClientConfig config = ClientConfig.to("localhost").build();
    try (ServerConnector connector = ServerConnector.over(config, "me", transport)) {
      CompletableFuture<?> late = connector.connect(1);
      CompletableFuture<?> cancelled = connector.connect();
      CompletableFuture<?> waiting = connector.connect();
      assertThat(late).failsWithin(SOON);
      cancelled.cancel(false);
      assertThat(connector.waiting()).isEqualTo(1);
      assertThat(waiting).isNotDone();
    }
  }

  /** Each timer keeps its call, with what is to be inserted. */
  @Test
  void shouldKeepNoTimerOfACallThatHasEnded() throws Exception {
    ClientConfig config = ClientConfig.to("localhost").callTimeout(Duration.ofHours(1)).build();
    ServerConnector connector = ServerConnector.over(config, "me", transport);
    try (EntroQClient later = EntroQClient.of(config, "me", connector)) {
      for (int i = 0; i < 10; i++) {
        later.claimAsync(CLAIM).cancel(false);
        later.modifyAsync(Modification.insert("inbox", "hello")).cancel(false);
      }
      assertThat(connector.waiting()).isZero();
      assertThat(connector.dispatcher().scheduled()).isZero();

      CompletableFuture<Map<String, Long>> refused = later.queuesAsync(QueueQuery.all());
      assertThat(connector.dispatcher().scheduled()).isEqualTo(1);
      question().fail(Status.Code.UNAUTHENTICATED, "no token", true);
      assertThat(refused).failsWithin(SOON);
      assertThat(connector.dispatcher().scheduled()).isZero();

      CompletableFuture<Map<String, Long>> read = later.queuesAsync(QueueQuery.all());
      question().answer(transport.features());
      assertThat(connector.dispatcher().scheduled()).isZero();
      transport.next().answer(QueuesResponse.getDefaultInstance());
      assertThat(read).succeedsWithin(SOON);
      assertThat(transport.waiting()).isZero();
    }
  }

  @Test
  void shouldEndWhatWaitsWhenItIsClosed() throws Exception {
    CompletableFuture<Map<String, Long>> read = client.queuesAsync(QueueQuery.all());
    CompletableFuture<List<Task>> claim = client.claimAsync(CLAIM);
    FeedCursor feed = client.openFeed(FeedQuery.fromNow().build());
    Sent question = question();
    client.close();
    for (CompletableFuture<?> ended : List.of(read, claim)) {
      assertThat(ended)
          .failsWithin(SOON)
          .withThrowableThat()
          .withCauseInstanceOf(EntroQException.Closed.class);
    }
    assertThatThrownBy(feed::poll).isInstanceOf(EntroQException.Closed.class);
    assertThatThrownBy(() -> client.queues(QueueQuery.all()))
        .isInstanceOf(EntroQException.Closed.class);
    assertThatThrownBy(client::hasPools).isInstanceOf(EntroQException.Closed.class);
    question.answer(transport.features());
    assertThatThrownBy(() -> client.tryClaim(CLAIM)).isInstanceOf(EntroQException.Closed.class);
    assertThat(transport.waiting()).isZero();
  }

  @Test
  void shouldCloseWithoutEverBeingUsed() {
    client.close();
    assertThatThrownBy(client::time).isInstanceOf(EntroQException.Closed.class);
    assertThat(transport.waiting()).isZero();
  }
}
