package io.entroq.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.StreamWelcome;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TimeRequest;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamTransportTest {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final long TIMEOUT_MS = 120_000;

  private final FakeChannel channel = new FakeChannel();
  private final FakeChannel other = new FakeChannel();
  private final AtomicLong nowNs = new AtomicLong();
  private String token = "first";
  private final Channels channels =
      new Channels(List.of(new Endpoint("first", channel), new Endpoint("other", other)));
  private final StreamTransport transport =
      new StreamTransport(new UnaryTransport(channels, this::token), nowNs::get);

  @AfterEach
  void close() {
    transport.close();
  }

  private String token() {
    if (token == null) {
      throw new IllegalStateException("no token");
    }
    return token;
  }

  private void pass(Duration time) {
    nowNs.addAndGet(time.toNanos());
  }

  private <Q extends Message, A extends Message> RecordingReceiver<A> send(
      Method<Q, A> method, Q request) {
    RecordingReceiver<A> heard = new RecordingReceiver<>();
    Exchange unused = transport.send(method, request, TIMEOUT_MS, heard);
    return heard;
  }

  private RecordingReceiver<ModifyResponse> modify() {
    return send(Method.MODIFY, ModifyRequest.getDefaultInstance());
  }

  private RecordingReceiver<ClaimResponse> claim() {
    return send(Method.CLAIM, ClaimRequest.getDefaultInstance());
  }

  private List<FakeCall<StreamRequests, StreamResponses>> streams() {
    return channel.calls(StreamTransport.OPEN);
  }

  private FakeCall<StreamRequests, StreamResponses> stream() {
    return streams().get(streams().size() - 1);
  }

  /** Number of modifies sent as calls. */
  private int calls() {
    return channel.calls(Method.MODIFY.descriptor()).size();
  }

  private static void greet(FakeCall<StreamRequests, StreamResponses> stream) {
    stream.answer(
        StreamResponses.newBuilder()
            .setWelcome(StreamWelcome.newBuilder().setWindow(8).setMessageBytesMax(1 << 20))
            .build());
  }

  private static void answer(FakeCall<StreamRequests, StreamResponses> stream, long number) {
    stream.answer(
        StreamResponses.newBuilder()
            .addResponses(
                StreamResponse.newBuilder()
                    .setNumber(number)
                    .setModify(ModifyResponse.getDefaultInstance()))
            .build());
  }

  @Test
  void shouldSendAllOverOneStream() {
    RecordingReceiver<ModifyResponse> first = modify();
    RecordingReceiver<ModifyResponse> second = modify();
    greet(stream());
    assertThat(streams()).hasSize(1);
    assertThat(stream().headers().get(AUTHORIZATION)).isEqualTo("first");
    answer(stream(), 2);
    answer(stream(), 1);
    first.answer();
    second.answer();
    assertThat(calls()).isZero();
  }

  @Test
  void shouldSendOtherMethodsAsCalls() {
    send(Method.TIME, TimeRequest.getDefaultInstance());
    send(
        Method.MODIFY,
        ModifyRequest.newBuilder()
            .addInserts(TaskData.newBuilder().setValue(ByteString.copyFrom(new byte[2 << 20])))
            .build());
    assertThat(streams()).isEmpty();
    assertThat(channel.calls(Method.TIME.descriptor())).hasSize(1);
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void shouldSendAllAsCallsForAMinuteIfStreamsAreRefused() {
    RecordingReceiver<ModifyResponse> waiting = modify();
    stream().end(Status.UNIMPLEMENTED);
    assertThat(calls()).isEqualTo(1);
    FakeCall<ModifyRequest, ModifyResponse> call = channel.calls(Method.MODIFY.descriptor()).get(0);
    call.answer(ModifyResponse.getDefaultInstance());
    call.end(Status.OK);
    waiting.answer();

    pass(Duration.ofSeconds(59));
    modify();
    assertThat(streams()).hasSize(1);
    assertThat(calls()).isEqualTo(2);
    pass(Duration.ofSeconds(1));
    modify();
    assertThat(streams()).hasSize(2);
    assertThat(calls()).isEqualTo(2);
  }

  @Test
  void shouldSendAllAsCallsIfStreamsAreBuffered() {
    RecordingReceiver<ModifyResponse> waiting = modify();
    pass(Duration.ofSeconds(5));
    transport.checkDeadlines();
    assertThat(stream().isCancelled()).isTrue();
    assertThat(calls()).isEqualTo(1);
    assertThat(waiting.hasNone()).isTrue();
  }

  @Test
  void shouldFailWhatGoesAsCallsIfThereIsNoToken() {
    RecordingReceiver<ModifyResponse> first = modify();
    RecordingReceiver<ModifyResponse> second = modify();
    token = null;
    stream().end(Status.UNIMPLEMENTED);
    RecordingReceiver<ModifyResponse> later = modify();
    for (RecordingReceiver<ModifyResponse> refused : List.of(first, second, later)) {
      assertThat(refused.failure().toString())
          .isEqualTo(
              "UNAUTHENTICATED: the token supplier failed:"
                  + " java.lang.IllegalStateException: no token");
      assertThat(refused.failure().isOutcomeUnknown()).isFalse();
    }
    assertThat(calls()).isZero();
  }

  @Test
  void shouldCancelRequestsSentAsCalls() {
    Exchange exchange =
        transport.send(
            Method.CLAIM, ClaimRequest.getDefaultInstance(), TIMEOUT_MS, new RecordingReceiver<>());
    stream().end(Status.UNIMPLEMENTED);
    FakeCall<ClaimRequest, ClaimResponse> call = channel.calls(Method.CLAIM.descriptor()).get(0);
    assertThat(call.isCancelled()).isFalse();
    exchange.cancel();
    assertThat(call.isCancelled()).isTrue();
  }

  @Test
  void shouldOpenANewStreamAfterOneHasEnded() {
    RecordingReceiver<ModifyResponse> lost = modify();
    greet(stream());
    stream().end(Status.CANCELLED);
    assertThat(lost.failure().isTransient()).isTrue();
    transport.checkDeadlines();
    assertThat(other.calls(StreamTransport.OPEN)).isEmpty();
    RecordingReceiver<ModifyResponse> retry = modify();
    // It goes to the next server, since the first one may be shutting down.
    FakeCall<StreamRequests, StreamResponses> next = other.calls(StreamTransport.OPEN).get(0);
    greet(next);
    answer(next, 1);
    retry.answer();
  }

  @Test
  void shouldLeaveTheStreamOfAPreviousServer() {
    RecordingReceiver<ClaimResponse> claim = claim();
    greet(stream());
    channels.onUnavailable(channels.current(), 0, Failure.unreadable(new IllegalStateException()));
    RecordingReceiver<ModifyResponse> modify = modify();
    FakeCall<StreamRequests, StreamResponses> next = other.calls(StreamTransport.OPEN).get(0);
    greet(next);
    answer(next, 1);
    modify.answer();

    // Requests that wait there may still be answered.
    assertThat(stream().isHalfClosed()).isFalse();
    stream()
        .answer(
            StreamResponses.newBuilder()
                .addResponses(
                    StreamResponse.newBuilder()
                        .setNumber(1)
                        .setClaim(ClaimResponse.getDefaultInstance()))
                .build());
    claim.answer();
    assertThat(stream().isHalfClosed()).isTrue();
  }

  @Test
  void shouldLeaveTheStreamOfAnAbandonedConnection() {
    modify();
    greet(stream());
    FakeCall<StreamRequests, StreamResponses> old = stream();
    Endpoint endpoint = channels.current();
    channels.notePosition(endpoint, 1);
    endpoint.onCheckFailed(
        new Failure(Status.Code.DEADLINE_EXCEEDED, "", List.of(), true),
        Backoff.constant(Duration.ofMillis(1)));
    RecordingReceiver<ModifyResponse> modify = modify();
    assertThat(streams()).hasSize(2);
    old.end(Status.UNAVAILABLE);
    assertThat(channels.isInUse(endpoint)).isTrue();
    greet(stream());
    answer(stream(), 1);
    modify.answer();
  }

  @Test
  void shouldNotTreatAnAbandonedConnectionAsRefusal() {
    RecordingReceiver<ModifyResponse> lost = modify();
    Endpoint endpoint = channels.current();
    channels.notePosition(endpoint, 1);
    endpoint.onCheckFailed(
        new Failure(Status.Code.DEADLINE_EXCEEDED, "", List.of(), true),
        Backoff.constant(Duration.ofMillis(1)));
    pass(Duration.ofSeconds(5));
    transport.checkDeadlines();
    assertThat(lost.hasNone()).isTrue();
    modify();
    assertThat(streams()).hasSize(2);
  }

  @Test
  void shouldAvoidStreamsOnlyAtServersThatRefuseThem() {
    modify();
    stream().end(Status.UNIMPLEMENTED);
    modify();
    assertThat(streams()).hasSize(1);
    channels.use(channels.endpoints().get(1));
    modify();
    assertThat(other.calls(StreamTransport.OPEN)).hasSize(1);
    channels.use(channels.endpoints().get(0));
    modify();
    assertThat(streams()).hasSize(1);
    pass(Duration.ofSeconds(60));
    modify();
    assertThat(streams()).hasSize(2);
  }

  @Test
  void shouldOpenANewStreamForANewToken() {
    RecordingReceiver<ClaimResponse> claim = claim();
    greet(stream());
    FakeCall<StreamRequests, StreamResponses> old = stream();
    pass(Duration.ofSeconds(1));
    token = "second";
    RecordingReceiver<ModifyResponse> modify = modify();
    assertThat(streams()).hasSize(2);
    assertThat(stream().headers().get(AUTHORIZATION)).isEqualTo("second");
    greet(stream());
    answer(stream(), 1);
    modify.answer();

    // Requests on the old stream continue, and expire at their deadlines.
    assertThat(old.isHalfClosed()).isFalse();
    pass(Duration.ofMillis(TIMEOUT_MS));
    transport.checkDeadlines();
    assertThat(claim.failure().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(old.last().getCancelsList()).containsExactly(1L);
  }

  @Test
  void shouldLimitStreamsIfEachRequestHasANewToken() {
    for (int i = 0; i < 100; i++) {
      token = "token " + i;
      modify();
      pass(Duration.ofMillis(20));
    }
    assertThat(streams()).hasSize(2);
    assertThat(calls()).isEqualTo(98);
    assertThat(channel.calls(Method.MODIFY.descriptor()).get(97).headers().get(AUTHORIZATION))
        .isEqualTo("token 99");
  }

  @Test
  void shouldEndItsStreamOnClose() {
    modify();
    greet(stream());
    answer(stream(), 1);
    transport.close();
    assertThat(stream().isHalfClosed()).isTrue();
    assertThat(channel.isShutdown()).isTrue();
  }
}
