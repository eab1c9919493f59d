package io.entroq.service.grpc;

import static io.entroq.service.feed.ScriptedFeed.task;
import static io.entroq.service.feed.ScriptedFeed.valued;
import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.published.feed.FeedRange;
import io.entroq.codec.wire.published.feed.RangeRequest;
import io.entroq.codec.wire.published.feed.TailRequest;
import io.entroq.codec.wire.published.feed.TailResponse;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.service.feed.Feeds;
import io.entroq.service.feed.ScriptedFeed;
import io.grpc.ClientCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The service Feed over loopback. */
class FeedGrpcTest {
  private static final String TAIL = "entroq.v1.Feed/Tail";

  private final ScriptedFeed feed = new ScriptedFeed();
  private final Feeds feeds = feed.feeds();
  private final ServedQueue served = new ServedQueue(feeds::before);

  @AfterEach
  void close() {
    served.close();
    feeds.close();
  }

  @Test
  void shouldSendEffectsUntilTheEnd() {
    CompletableFuture<List<TailResponse>> heard =
        CompletableFuture.supplyAsync(
            () ->
                served.client.stream(
                    TAIL,
                    TailRequest.newBuilder().addQueues("q").build(),
                    TailResponse.getDefaultInstance()));
    ScriptedFeed.Reader reader = feed.reader(0);
    until("it waits", reader::isAwaited);
    reader.step(1, task(EffectKinds.INSERTED, "a", "q"));
    until("it waits again", reader::isAwaited);
    reader.step(2, task(EffectKinds.CLAIMED, "a", "q"));
    reader.end(FeedEnd.Reason.COMPLETE, "");
    List<TailResponse> responses = heard.join();
    assertThat(responses.get(0).getEffects(0).getTask().getId()).isEqualTo("a");
    assertThat(responses.get(responses.size() - 1).getPosition())
        .isEqualTo(ScriptedFeed.position("2"));
    assertThat(feeds.count()).isZero();
  }

  @Test
  void shouldTellWhyItEnds() {
    feed.endAtOnce(FeedEnd.Reason.OUT_OF_RANGE, "position 5 is no longer kept");
    StatusRuntimeException e =
        refusal(
            () ->
                served.client.stream(
                    TAIL, TailRequest.getDefaultInstance(), TailResponse.getDefaultInstance()));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
    assertThat(e.getStatus().getDescription())
        .isEqualTo("tail: position 5 is no longer kept (first 10, last 99)");
    assertThat(ServedQueue.details(e))
        .singleElement()
        .satisfies(
            detail -> assertThat(detail.unpack(FeedRange.class).getFirstSequence()).isEqualTo(10));
    ServedQueue.refuses(
        () ->
            served.client.stream(
                TAIL,
                TailRequest.newBuilder().setPosition("x").build(),
                TailResponse.getDefaultInstance()),
        "tail: position: not a position");
    assertThat(
            served
                .client
                .call(
                    "entroq.v1.Feed/Range",
                    RangeRequest.getDefaultInstance(),
                    FeedRange.getDefaultInstance())
                .getLastSequence())
        .isEqualTo(99);
  }

  @Test
  void shouldTakeNoMoreThanASlowClientReadsAndFreeItsPlace() {
    int steps = 400;
    byte[] value = new byte[100_000];
    try (WireClient client = WireClient.withWindow(served.server.port(), 100_000)) {
      AtomicInteger heard = new AtomicInteger();
      ClientCall<TailRequest, TailResponse> call =
          client.begin(
              TAIL,
              TailRequest.newBuilder().setValues(true).build(),
              TailResponse.getDefaultInstance(),
              new ClientCall.Listener<>() {
                @Override
                public void onMessage(TailResponse response) {
                  heard.incrementAndGet();
                }
              });
      for (int i = 1; i <= steps; i++) {
        feed.reader(0).step(i, valued("t" + i, "q", ValueKinds.BYTES, value));
      }
      call.request(10);
      until("it has what it asked for", () -> heard.get() == 10);
      assertThat(feed.reader(0).taken()).isBetween(10, 30);
      call.request(steps);
      until("it has all", () -> heard.get() == steps);
      call.cancel("enough", null);
      until("the reader is closed", () -> feed.reader(0).isClosed());
      until("the place is free", () -> feeds.count() == 0);
    }
  }

  @Test
  void shouldSendCallersAwayWhenTheServerStops() throws Exception {
    CompletableFuture<StatusRuntimeException> end =
        CompletableFuture.supplyAsync(
            () ->
                refusal(
                    () ->
                        served.client.stream(
                            TAIL,
                            TailRequest.getDefaultInstance(),
                            TailResponse.getDefaultInstance())));
    until("it waits", feed.reader(0)::isAwaited);
    feeds.end();
    assertThat(served.server.drain(Duration.ofSeconds(30))).isTrue();
    assertThat(end.get(50, TimeUnit.SECONDS).getStatus().getCode())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void shouldNotBeThereWithoutAFeed() {
    try (ServedQueue without = new ServedQueue()) {
      StatusRuntimeException e =
          refusal(
              () ->
                  without.client.stream(
                      TAIL, TailRequest.getDefaultInstance(), TailResponse.getDefaultInstance()));
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
    }
  }
}
