package io.entroq.client;

import static io.entroq.client.FakeTail.effect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TailResponse;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A feed whose servers fail. */
class FeedCallTest {
  private static final String AT = "@" + FakeTail.LOG;
  private static final FeedQuery NOW = FeedQuery.fromNow().build();

  private final FakeTransport transport = new FakeTransport(0);
  private final Dispatcher dispatcher =
      new Dispatcher(transport, Backoff.constant(Duration.ofMillis(1)), Duration.ofSeconds(20));

  @AfterEach
  void close() {
    dispatcher.close();
  }

  private FeedCall open(FeedQuery query) {
    return new FeedCall(dispatcher, query).start(CompletableFuture.completedFuture(null));
  }

  private static List<String> poll(FeedCall feed) {
    List<String> ids = new ArrayList<>();
    for (Optional<Effect> next = feed.poll(); next.isPresent(); next = feed.poll()) {
      ids.add(next.get().task().orElseThrow().id().text());
    }
    return ids;
  }

  @Test
  void shouldAskForWhatTheQuerySays() throws Exception {
    FeedCall unused =
        open(
            FeedQuery.from(Instant.ofEpochMilli(7))
                .until(FeedPosition.after(9))
                .queues("inbox")
                .prefixes("in")
                .namespaces("notes")
                .kinds(EffectKind.GIVEN_BACK)
                .withValues()
                .build());
    assertThat(transport.nextTail().request.toString().lines())
        .containsExactlyInAnyOrder(
            "time_ms: 7",
            "until: \"9\"",
            "queues: \"inbox\"",
            "prefixes: \"in\"",
            "namespaces: \"notes\"",
            "kinds: EFFECT_GIVEN_BACK",
            "values: true",
            "raw_values: true");
  }

  @Test
  void shouldGoOnBehindTheLastEffect() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail first = transport.nextTail();
    first.send("5" + AT, effect(5, 0), effect(5, 1));
    first.send("", effect(6, 0));
    first.fail(Status.Code.UNAVAILABLE);
    assertThat(poll(feed)).containsExactly("5-0", "5-1", "6-0");
    assertThat(feed.problem().orElseThrow()).hasMessageContaining("it says why");
    FakeTail second = transport.nextTail();
    assertThat(second.request.getPosition()).isEqualTo("6-0" + AT + ".6");
    second.send("7" + AT, effect(6, 1));
    assertThat(poll(feed)).containsExactly("6-1");
    assertThat(feed.problem()).isEmpty();
    assertThat(feed.position()).contains(FeedPosition.of("7" + AT));
  }

  @Test
  void shouldGoOnBehindAPositionWithoutEffects() throws Exception {
    FeedCall feed = open(FeedQuery.after(FeedPosition.of("3")).build());
    FakeTail first = transport.nextTail();
    assertThat(first.request.getPosition()).isEqualTo("3");
    first.send("9" + AT);
    first.fail(Status.Code.UNAVAILABLE);
    assertThat(poll(feed)).isEmpty();
    assertThat(transport.nextTail().request.getPosition()).isEqualTo("9" + AT);
  }

  @Test
  void shouldTakeNoMoreThanItIsPolledFor() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail tail = transport.nextTail();
    assertThat(tail.demand()).isEqualTo(FeedCall.AHEAD_MAX);
    tail.send("5" + AT, effect(5, 0), effect(5, 1));
    tail.send("6" + AT, effect(6, 0));
    assertThat(feed.poll()).isPresent();
    assertThat(tail.demand()).isEqualTo(FeedCall.AHEAD_MAX - 2);
    assertThat(feed.poll()).isPresent();
    assertThat(tail.demand()).isEqualTo(FeedCall.AHEAD_MAX - 1);
    assertThat(poll(feed)).containsExactly("6-0");
    assertThat(tail.demand()).isEqualTo(FeedCall.AHEAD_MAX);
  }

  @Test
  void shouldNotConnectAgainBeforeItIsPolled() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail tail = transport.nextTail();
    tail.send("5" + AT, effect(5, 0));
    tail.fail(Status.Code.UNAVAILABLE);
    assertThat(feed.poll()).isPresent();
    assertThat(transport.waitingTails()).isZero();
    assertThat(feed.poll()).isEmpty();
    assertThat(transport.nextTail().request.getPosition()).isEqualTo("5" + AT);
  }

  @Test
  void shouldMoveToAnotherServerWithTheClient() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail first = transport.nextTail();
    first.send("5" + AT, effect(5, 0));
    dispatcher.failOver();
    assertThat(first.isCanceled()).isTrue();
    assertThat(poll(feed)).containsExactly("5-0");
    assertThat(transport.nextTail().request.getPosition()).isEqualTo("5" + AT);
  }

  @Test
  void shouldAskAllServersForWhatOneDoesNotKeep() throws Exception {
    transport.servers(2);
    FeedCall feed = open(FeedQuery.after(FeedPosition.of("3")).build());
    FeedRange kept = FeedRange.newBuilder().setFirstSequence(8).setLastSequence(9).build();
    transport.nextTail().fail(Status.Code.OUT_OF_RANGE, kept);
    assertThat(poll(feed)).isEmpty();
    FakeTail second = transport.nextTail();
    assertThat(second.skipped).isEqualTo(1);
    second.fail(Status.Code.OUT_OF_RANGE, kept);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(feed::poll)
          .isInstanceOfSatisfying(
              EntroQException.OutOfRange.class,
              why -> assertThat(List.of(why.first(), why.last())).containsExactly(8L, 9L));
    }
    assertThat(dispatcher.hasOpen()).isFalse();
  }

  @Test
  void shouldNotWaitForServersThatAreAwayWhenOneDoesNotKeepThePosition() throws Exception {
    transport.servers(3);
    FeedCall feed = open(FeedQuery.after(FeedPosition.of("3")).build());
    transport.nextTail().fail(Status.Code.OUT_OF_RANGE, FeedRange.getDefaultInstance());
    assertThat(poll(feed)).isEmpty();
    transport.nextTail().fail(Status.Code.UNAVAILABLE);
    assertThat(poll(feed)).isEmpty();
    FakeTail third = transport.nextTail();
    assertThat(third.skipped).isEqualTo(2);
    third.send("4@" + FakeTail.LOG, effect(4, 0));
    third.fail(Status.Code.UNAVAILABLE);
    assertThat(poll(feed)).containsExactly("4-0");
    assertThat(transport.nextTail().skipped).isZero();
  }

  @Test
  void shouldAskAgainLaterWhenAServerCannotReadItsHistoryAtPresent() throws Exception {
    transport.servers(2);
    FeedCall feed = open(FeedQuery.after(FeedPosition.of("3")).build());
    FeedRange kept = FeedRange.newBuilder().setFirstSequence(8).setLastSequence(9).build();
    transport.nextTail().fail(Status.Code.UNAVAILABLE, kept);
    assertThat(poll(feed)).isEmpty();
    FakeTail second = transport.nextTail();
    assertThat(second.skipped).isEqualTo(1);
    second.fail(Status.Code.OUT_OF_RANGE, kept);
    assertThat(poll(feed)).isEmpty();
    assertThat(feed.problem()).isPresent();
    FakeTail again = transport.nextTail();
    assertThat(again.skipped).isZero();
    again.send("4@" + FakeTail.LOG, effect(4, 0));
    assertThat(poll(feed)).containsExactly("4-0");
  }

  @Test
  void shouldTellWhatTheCallerMustKnow() throws Exception {
    assertFails(Status.Code.FAILED_PRECONDITION, EntroQException.InvalidArgument.class);
    assertFails(Status.Code.INVALID_ARGUMENT, EntroQException.InvalidArgument.class);
    assertFails(Status.Code.UNIMPLEMENTED, EntroQException.InvalidArgument.class);
    assertFails(Status.Code.PERMISSION_DENIED, EntroQException.PermissionDenied.class);
    assertFails(Status.Code.UNAUTHENTICATED, EntroQException.PermissionDenied.class);
    assertFails(Status.Code.RESOURCE_EXHAUSTED, EntroQException.ResourceExhausted.class);
    assertFails(Status.Code.INTERNAL, EntroQException.Unavailable.class);
  }

  private void assertFails(Status.Code code, Class<? extends EntroQException> exception)
      throws Exception {
    FeedCall feed = open(NOW);
    transport.nextTail().fail(code);
    assertThatThrownBy(feed::poll).isInstanceOf(exception);
    assertThat(feed.await(() -> {})).isFalse();
  }

  @Test
  void shouldAskOnceMoreWhenTheTokenHasExpired() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail first = transport.nextTail();
    first.send("5" + AT, effect(5, 0));
    first.fail(Status.Code.UNAUTHENTICATED);
    assertThat(poll(feed)).containsExactly("5-0");
    transport.nextTail().fail(Status.Code.UNAUTHENTICATED);
    assertThatThrownBy(feed::poll).isInstanceOf(EntroQException.PermissionDenied.class);
  }

  @Test
  void shouldGoOnLaterWhenTheServerHasNoPlaceMeanwhile() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail first = transport.nextTail();
    first.send("5" + AT, effect(5, 0));
    first.fail(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(poll(feed)).containsExactly("5-0");
    assertThat(transport.nextTail().request.getPosition()).isEqualTo("5" + AT);
  }

  @Test
  void shouldShowTheStateOnce() throws Exception {
    FeedCall feed = open(FeedQuery.fromSnapshot().build());
    transport.nextTail().fail(Status.Code.UNAVAILABLE);
    assertThat(poll(feed)).isEmpty();
    FakeTail second = transport.nextTail();
    assertThat(second.request.getSnapshot()).isTrue();
    second.send("", effect(5, 0));
    assertThat(feed.poll().orElseThrow().position()).isEmpty();
    assertThat(feed.position()).isEmpty();
    second.send(
        TailResponse.newBuilder()
            .addEffects(effect(5, 1))
            .setPosition("5" + AT)
            .setSnapshotComplete(true));
    assertThat(feed.poll().orElseThrow().position()).isEmpty();
    assertThat(feed.position()).contains(FeedPosition.of("5" + AT));
    second.fail(Status.Code.UNAVAILABLE);
    assertThat(poll(feed)).isEmpty();
    assertThat(transport.nextTail().request.getPosition()).isEqualTo("5" + AT);
  }

  @Test
  void shouldSayThatTheStateIsNotComplete() throws Exception {
    FeedCall feed = open(FeedQuery.fromSnapshot().build());
    FakeTail tail = transport.nextTail();
    tail.send("", effect(5, 0));
    tail.fail(Status.Code.UNAVAILABLE);
    assertThat(feed.poll()).isPresent();
    assertThatThrownBy(feed::poll)
        .isInstanceOf(EntroQException.Unavailable.class)
        .hasMessageContaining("begin anew");
  }

  @Test
  void shouldEndBehindTheLastEffect() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail tail = transport.nextTail();
    tail.send("5" + AT, effect(5, 0));
    tail.end();
    assertThat(feed.isEnded()).isFalse();
    assertThat(poll(feed)).containsExactly("5-0");
    assertThat(feed.isEnded()).isTrue();
    assertThat(dispatcher.hasOpen()).isFalse();
  }

  @Test
  void shouldTellOnceWhatCanBePolled() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail tail = transport.nextTail();
    List<String> told = new ArrayList<>();
    assertThat(feed.await(() -> told.add("told"))).isTrue();
    tail.send("5" + AT, effect(5, 0));
    tail.send("6" + AT, effect(6, 0));
    assertThat(told).containsExactly("told");
    assertThat(feed.await(() -> told.add("not now"))).isFalse();
    tail.end();
    assertThat(told).containsExactly("told");
  }

  @Test
  void shouldCancelWhenItIsClosed() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail tail = transport.nextTail();
    tail.send("5" + AT, effect(5, 0));
    feed.close();
    assertThat(tail.isCanceled()).isTrue();
    assertThat(feed.poll()).isEmpty();
    assertThat(feed.isEnded()).isTrue();
    assertThat(dispatcher.hasOpen()).isFalse();
  }

  @Test
  void shouldFailWithTheClient() throws Exception {
    FeedCall feed = open(NOW);
    FakeTail tail = transport.nextTail();
    dispatcher.close();
    assertThat(tail.isCanceled()).isTrue();
    assertThatThrownBy(feed::poll).isInstanceOf(EntroQException.Closed.class);
  }
}
