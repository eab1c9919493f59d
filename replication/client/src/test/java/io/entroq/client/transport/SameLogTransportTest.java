package io.entroq.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.ConnectivityState;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests to a server that was lost and is back, maybe with another log. */
class SameLogTransportTest {
  private static final ByteString LOG = ByteString.copyFrom(new byte[] {1, 2});
  private static final ByteString OTHER = ByteString.copyFrom(new byte[] {3});

  private final FakeChannel channel = new FakeChannel();
  private boolean hasToken = true;
  private final UnaryTransport calls =
      new UnaryTransport(new Channels(List.of(new Endpoint("a:1", channel))), this::token);
  private final SameLogTransport transport = new SameLogTransport(calls, calls, LOG);

  @AfterEach
  void close() {
    transport.close();
  }

  private String token() {
    if (!hasToken) {
      throw new IllegalStateException("no token");
    }
    return "";
  }

  private Exchange send(RecordingReceiver<QueuesResponse> receiver, String queue) {
    return transport.send(
        Method.QUEUES, QueuesRequest.newBuilder().addMatchExact(queue).build(), 10_000, receiver);
  }

  private void reconnect() {
    channel.change(ConnectivityState.IDLE);
    channel.change(ConnectivityState.CONNECTING);
    channel.change(ConnectivityState.READY);
  }

  private List<FakeCall<TimeRequest, TimeResponse>> checks() {
    return channel.calls(Method.TIME.descriptor());
  }

  /** The queues of the requests that were sent. */
  private List<String> sent() {
    return channel.<QueuesRequest, QueuesResponse>calls(Method.QUEUES.descriptor()).stream()
        .map(call -> call.last().getMatchExact(0))
        .toList();
  }

  private void tell(int check, ByteString logId) {
    checks().get(check).answer(TimeResponse.newBuilder().setTimeMs(1).setLogId(logId).build());
    checks().get(check).end(Status.OK);
  }

  @Test
  void shouldAskNothingWhileTheConnectionLasts() {
    send(new RecordingReceiver<>(), "a");
    send(new RecordingReceiver<>(), "b");
    assertThat(sent()).containsExactly("a", "b");
    assertThat(checks()).isEmpty();
  }

  @Test
  void shouldSendInOrderWhenTheServerHasTheSameLog() {
    reconnect();
    send(new RecordingReceiver<>(), "a");
    send(new RecordingReceiver<>(), "b");
    assertThat(sent()).isEmpty();
    assertThat(checks()).hasSize(1);

    tell(0, LOG);
    send(new RecordingReceiver<>(), "c");
    assertThat(sent()).containsExactly("a", "b", "c");
    assertThat(checks()).hasSize(1);
  }

  @Test
  void shouldSendNothingToAServerWithAnotherLogAndAskAgain() {
    reconnect();
    RecordingReceiver<QueuesResponse> refused = new RecordingReceiver<>();
    send(refused, "a");
    tell(0, OTHER);
    assertThat(refused.failure().toString())
        .isEqualTo(
            "UNAVAILABLE: it has another queue than before: its log is 03, not 0102; connect anew"
                + " to use that queue");
    assertThat(refused.failure().isOutcomeUnknown()).isFalse();
    assertThat(sent()).isEmpty();

    send(new RecordingReceiver<>(), "b");
    tell(1, LOG);
    assertThat(sent()).containsExactly("b");
  }

  @Test
  void shouldNotTrustAnAnswerOfAnEarlierConnection() {
    reconnect();
    send(new RecordingReceiver<>(), "a");
    reconnect();
    tell(0, LOG);
    send(new RecordingReceiver<>(), "b");
    assertThat(checks()).hasSize(2);
  }

  @Test
  void shouldReportThatTheServerDoesNotAnswer() {
    reconnect();
    RecordingReceiver<QueuesResponse> failed = new RecordingReceiver<>();
    send(failed, "a");
    checks().get(0).end(Status.UNAVAILABLE.withDescription("gone"));
    assertThat(failed.failure())
        .isEqualTo(new Failure(Status.Code.UNAVAILABLE, "gone", List.of(), false));
  }

  @Test
  void shouldNotLetACheckDelayARequestThatHasLessTime() throws Exception {
    reconnect();
    CountDownLatch failed = new CountDownLatch(1);
    RecordingReceiver<QueuesResponse> longer = new RecordingReceiver<>();
    RecordingReceiver<QueuesResponse> shorter =
        new RecordingReceiver<QueuesResponse>().then(failed::countDown);
    send(longer, "a");
    transport.send(
        Method.QUEUES, QueuesRequest.newBuilder().addMatchExact("b").build(), 20, shorter);
    assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(shorter.failure().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(shorter.failure().isOutcomeUnknown()).isFalse();
    assertThat(longer.hasNone()).isTrue();
    tell(0, LOG);
    assertThat(sent()).containsExactly("a");
  }

  /** The JVM has one thread for all deadlines, and whoever waits may take long. */
  @Test
  void shouldNotCallAnybodyOnTheThreadOfDeadlines() throws Exception {
    Thread deadlines =
        CompletableFuture.supplyAsync(
                Thread::currentThread,
                CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run))
            .get(60, TimeUnit.SECONDS);
    reconnect();
    send(new RecordingReceiver<>(), "a");
    CompletableFuture<Thread> called = new CompletableFuture<>();
    Exchange unused =
        transport.send(
            Method.QUEUES,
            QueuesRequest.getDefaultInstance(),
            1,
            new RecordingReceiver<QueuesResponse>()
                .then(() -> called.complete(Thread.currentThread())));
    assertThat(called.get(60, TimeUnit.SECONDS)).isNotSameAs(deadlines);
  }

  @Test
  void shouldFailWhatWaitsIfThereIsNoToken() {
    reconnect();
    RecordingReceiver<QueuesResponse> first = new RecordingReceiver<>();
    RecordingReceiver<QueuesResponse> second = new RecordingReceiver<>();
    send(first, "a");
    send(second, "b");
    Listing<TasksResponse> listing = transport.list(TasksRequest.getDefaultInstance());
    hasToken = false;
    tell(0, LOG);
    for (RecordingReceiver<QueuesResponse> refused : List.of(first, second)) {
      assertThat(refused.failure().code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    }
    assertThatThrownBy(() -> listing.next(1_000)).hasMessageContaining("no token");

    // Nor can the server be asked for its log.
    reconnect();
    RecordingReceiver<QueuesResponse> unchecked = new RecordingReceiver<>();
    send(unchecked, "c");
    assertThat(unchecked.failure().code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(sent()).isEmpty();
    hasToken = true;
    send(new RecordingReceiver<>(), "d");
    tell(1, LOG);
    assertThat(sent()).containsExactly("d");
  }

  @Test
  void shouldForgetARequestThatIsCanceledWhileItWaits() {
    reconnect();
    RecordingReceiver<QueuesResponse> canceled = new RecordingReceiver<>();
    send(canceled, "a").cancel();
    assertThat(canceled.failure().code()).isEqualTo(Status.Code.CANCELLED);
    tell(0, LOG);
    assertThat(sent()).isEmpty();
  }

  @Test
  void shouldListNothingOfAnotherLog() {
    reconnect();
    try (Listing<TasksResponse> listing = transport.list(TasksRequest.getDefaultInstance())) {
      tell(0, OTHER);
      assertThatThrownBy(() -> listing.next(1_000))
          .isInstanceOf(FailedException.class)
          .hasMessageContaining("it has another queue than before");
    }
    try (Listing<TasksResponse> listing = transport.list(TasksRequest.getDefaultInstance())) {
      tell(1, LOG);
      channel.calls(Method.STREAM_TASKS).get(0).end(Status.OK);
      assertThat(listing.next(1_000)).isEmpty();
    }
  }
}
