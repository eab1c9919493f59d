package io.entroq.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which of three servers is used. */
class FailoverMonitorTest {
  private static final Metadata.Key<String> POSITION =
      Metadata.Key.of("entroq-position", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> MIN_POSITION =
      Metadata.Key.of("entroq-min-position", Metadata.ASCII_STRING_MARSHALLER);
  private static final Failure GONE = new Failure(Status.Code.UNAVAILABLE, "gone", List.of(), true);

  private final FakeChannel a = new FakeChannel();
  private final FakeChannel b = new FakeChannel();
  private final FakeChannel c = new FakeChannel();
  private final Channels channels =
      new Channels(List.of(new Endpoint("a:1", a), new Endpoint("b:1", b), new Endpoint("c:1", c)));
  private final UnaryTransport calls = new UnaryTransport(channels, () -> "");
  private final AtomicInteger moves = new AtomicInteger();
  private volatile boolean hasOpen;
  private FailoverMonitor monitor;

  @AfterEach
  void close() {
    calls.close();
  }

  private void startFailoverMonitor(Duration silence, Backoff backoff) {
    monitor =
        calls.startFailoverMonitor(
            silence,
            backoff,
            new OpenRequests() {
              @Override
              public boolean hasOpen() {
                return hasOpen;
              }

              @Override
              public void failOver() {
                moves.incrementAndGet();
              }
            });
  }

  private void startFailoverMonitor() {
    startFailoverMonitor(Duration.ofHours(1), Backoff.constant(Duration.ofHours(1)));
  }

  private static FakeCall<TimeRequest, TimeResponse> asked(FakeChannel channel, int times)
      throws InterruptedException {
    await(() -> channel.calls(Method.TIME.descriptor()).size() >= times);
    FakeCall<TimeRequest, TimeResponse> call =
        channel.calls(Method.TIME.descriptor()).get(times - 1);
    await(() -> call.isHalfClosed());
    return call;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean()) {
      assertThat(endNs - System.nanoTime()).as("time left").isPositive();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static void answer(FakeCall<TimeRequest, TimeResponse> call, long features) {
    answer(call, TimeResponse.newBuilder().setFeatures(features));
  }

  private static void answer(
      FakeCall<TimeRequest, TimeResponse> call, TimeResponse.Builder response) {
    call.answer(response.setTimeMs(1).build());
    call.end(Status.OK);
  }

  private void awaitUse(FakeChannel channel) throws InterruptedException {
    await(() -> channels.current().channel() == channel);
  }

  @Test
  void shouldStartWithTheFirstThatAnswers() throws Exception {
    startFailoverMonitor();
    asked(a, 1).end(Status.UNAVAILABLE);
    asked(b, 1).end(Status.UNIMPLEMENTED);
    answer(asked(c, 1), 0);
    awaitFirst();
    assertThat(channels.current().channel()).isSameAs(c);
  }

  @Test
  void shouldProbeAgainAfterAPause() throws Exception {
    startFailoverMonitor(Duration.ofHours(1), Backoff.constant(Duration.ofMillis(1)));
    for (int i = 1; i <= 3; i++) {
      asked(a, i).end(Status.UNAVAILABLE);
      asked(b, i).end(Status.UNAVAILABLE);
      asked(c, i).end(Status.UNAVAILABLE);
    }
    answer(asked(a, 4), 0);
    awaitFirst();
  }

  @Test
  void shouldReportTheFailureOfEach() throws Exception {
    startFailoverMonitor();
    asked(a, 1).end(Status.UNAVAILABLE.withDescription("refused"));
    asked(b, 1).end(Status.UNIMPLEMENTED.withDescription("no such method"));
    await(() -> channels.endpointText().contains("no such method"));
    assertThat(monitor.found()).isNotDone();
    assertThat(channels.endpointText())
        .contains("a:1 (UNAVAILABLE: refused)")
        .contains("b:1 (UNIMPLEMENTED: no such method)")
        .endsWith("c:1");
  }

  @Test
  void shouldNotWaitIfAllHaveRefused() throws Exception {
    startFailoverMonitor();
    CompletableFuture<Void> found = monitor.found();
    asked(a, 1).end(Status.PERMISSION_DENIED);
    asked(b, 1).end(Status.PERMISSION_DENIED);
    asked(c, 1).end(Status.PERMISSION_DENIED);
    assertThat(found)
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            FailedException.class,
            e -> assertThat(e.failure().code()).isEqualTo(Status.Code.PERMISSION_DENIED));
  }

  @Test
  void shouldBeAskedAgainAfterARefusal() throws Exception {
    startFailoverMonitor(Duration.ofHours(1), Backoff.constant(Duration.ofMillis(1)));
    CompletableFuture<Void> refused = monitor.found();
    asked(a, 1).end(Status.PERMISSION_DENIED);
    asked(b, 1).end(Status.PERMISSION_DENIED);
    asked(c, 1).end(Status.PERMISSION_DENIED);
    assertThat(refused).failsWithin(Duration.ofSeconds(60));
    CompletableFuture<Void> again = monitor.found();
    answer(asked(a, 2), 0);
    assertThat(again).succeedsWithin(Duration.ofSeconds(60));
  }

  @Test
  void shouldUseAnotherOnlyAfterItHasAnswered() throws Exception {
    startFailoverMonitor();
    answer(asked(a, 1), 7);
    awaitFirst();
    monitor.require(5, ByteString.EMPTY);
    channels.onUnavailable(channels.current(), 0, GONE);
    // A server that lacks features must not be used.
    answer(asked(b, 1), 4);
    FakeCall<TimeRequest, TimeResponse> third = asked(c, 1);
    assertThat(channels.current().channel()).isSameAs(a);
    assertThat(moves).hasValue(0);
    answer(third, 13);
    awaitUse(c);
    await(() -> moves.get() == 1);
    assertThat(channels.endpointText())
        .isEqualTo(
            "a:1 (UNAVAILABLE: gone), b:1 (FAILED_PRECONDITION: it lacks features that this client uses, so it is an older or a different server; features 4 of 5), c:1");
  }

  @Test
  void shouldNotUseAMemberOfAnotherCluster() throws Exception {
    startFailoverMonitor();
    answer(asked(a, 1), 0);
    awaitFirst();
    monitor.require(0, ByteString.copyFrom(new byte[] {1, 2}));
    channels.onUnavailable(channels.current(), 0, GONE);
    answer(asked(b, 1), TimeResponse.newBuilder().setLogId(ByteString.copyFrom(new byte[] {3})));
    FakeCall<TimeRequest, TimeResponse> third = asked(c, 1);
    assertThat(channels.current().channel()).isSameAs(a);
    answer(third, TimeResponse.newBuilder().setLogId(ByteString.copyFrom(new byte[] {1, 2})));
    awaitUse(c);
    assertThat(channels.endpointText())
        .contains(
            "b:1 (FAILED_PRECONDITION: it is a member of another cluster: its log is 03, not 0102)");
  }

  @Test
  void shouldNotUseAServerOfAnOlderProtocol() throws Exception {
    startFailoverMonitor();
    FakeCall<TimeRequest, TimeResponse> first = asked(a, 1);
    first.answer(TimeResponse.getDefaultInstance(), null);
    first.end(Status.OK);
    answer(asked(b, 1), 0);
    awaitFirst();
    assertThat(channels.current().channel()).isSameAs(b);
    assertThat(channels.endpointText())
        .contains("a:1 (FAILED_PRECONDITION: the server serves EntroQ protocol 1,");
  }

  private void awaitFirst() {
    assertThat(monitor.found()).succeedsWithin(Duration.ofSeconds(60));
  }

  @Test
  void shouldLeaveASilentServerWithOpenRequests() throws Exception {
    startFailoverMonitor(Duration.ofMillis(20), Backoff.constant(Duration.ofHours(1)));
    answer(asked(a, 1), 0);
    awaitFirst();
    hasOpen = true;
    asked(a, 2).end(Status.DEADLINE_EXCEEDED);
    answer(asked(b, 1), 0);
    awaitUse(b);
    await(() -> moves.get() == 1);
  }

  @Test
  void shouldReconnectASilentServer() throws Exception {
    startFailoverMonitor(Duration.ofMillis(20), Backoff.constant(Duration.ofMillis(1)));
    answer(asked(a, 1), 0);
    awaitFirst();
    hasOpen = true;
    asked(a, 2).end(Status.DEADLINE_EXCEEDED);
    asked(b, 1).end(Status.UNAVAILABLE);
    asked(c, 1).end(Status.UNAVAILABLE);
    assertThat(a.idles()).isEqualTo(1);
    // A server that never answered has time to start, and one that refused is reachable.
    asked(a, 3).end(Status.DEADLINE_EXCEEDED);
    asked(b, 2).end(Status.UNAVAILABLE);
    asked(c, 2).end(Status.UNAVAILABLE);
    assertThat(a.idles() + b.idles() + c.idles()).isEqualTo(1);

    answer(asked(a, 4), 0);
    // Requests in flight wait on the previous connection.
    await(() -> moves.get() == 1);
    assertThat(channels.current().channel()).isSameAs(a);
    // The end of that connection does not affect this one.
    channels.onUnavailable(channels.current(), 0, GONE);
    assertThat(channels.current().failure()).isNull();
  }

  @Test
  void shouldStayWithAServerThatAnswersProbes() throws Exception {
    startFailoverMonitor(Duration.ofMillis(20), Backoff.constant(Duration.ofHours(1)));
    answer(asked(a, 1), 0);
    hasOpen = true;
    for (int i = 2; i < 5; i++) {
      answer(asked(a, i), 0);
    }
    assertThat(channels.current().channel()).isSameAs(a);
    assertThat(moves).hasValue(0);
  }

  @Test
  void shouldReadNoEarlierStateElsewhere() throws Exception {
    startFailoverMonitor();
    answer(asked(a, 1), 0);
    awaitFirst();
    FakeCall<QueuesRequest, QueuesResponse> first = read(a, 1);
    assertThat(first.headers().containsKey(MIN_POSITION)).isFalse();
    end(first, 42);
    assertThat(read(a, 2).headers().containsKey(MIN_POSITION)).isFalse();

    channels.onUnavailable(channels.current(), 0, GONE);
    answer(asked(b, 1), 0);
    awaitUse(b);
    FakeCall<QueuesRequest, QueuesResponse> moved = read(b, 1);
    assertThat(moved.headers().get(MIN_POSITION)).isEqualTo("42");
    end(moved, 41);
    assertThat(read(b, 2).headers().get(MIN_POSITION)).isEqualTo("42");
    end(moved, 43);
    assertThat(read(b, 3).headers().containsKey(MIN_POSITION)).isFalse();
  }

  @Test
  void shouldReadNoEarlierStateThanAListing() throws Exception {
    startFailoverMonitor();
    answer(asked(a, 1), 0);
    awaitFirst();
    try (Listing<TasksResponse> listing = calls.list(TasksRequest.getDefaultInstance())) {
      a.calls(Method.STREAM_TASKS).get(0).end(Status.OK, at(42));
      assertThat(listing.next(1_000)).isEmpty();
    }
    channels.onUnavailable(channels.current(), 0, GONE);
    answer(asked(b, 1), 0);
    awaitUse(b);
    assertThat(read(b, 1).headers().get(MIN_POSITION)).isEqualTo("42");
  }

  private FakeCall<QueuesRequest, QueuesResponse> read(FakeChannel channel, int times) {
    Exchange unused =
        calls.send(
            Method.QUEUES, QueuesRequest.getDefaultInstance(), 1_000, new RecordingReceiver<>());
    return channel.calls(Method.QUEUES.descriptor()).get(times - 1);
  }

  private static void end(FakeCall<QueuesRequest, QueuesResponse> call, long position) {
    call.answer(QueuesResponse.getDefaultInstance());
    call.end(Status.OK, at(position));
  }

  private static Metadata at(long position) {
    Metadata trailers = new Metadata();
    trailers.put(POSITION, Long.toString(position));
    return trailers;
  }
}
