package io.entroq.api.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.fake.FakeEntroQ;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A feed for a thread that waits. */
@Timeout(60)
class FeedIteratorTest {
  private final ScriptedSource source = new ScriptedSource();
  private final FeedIterator feed = new FeedIterator(source);

  @Test
  void shouldWaitForTheNextEffect() throws Exception {
    FutureTask<Optional<Effect>> next = startNext();
    source.show(1);
    assertThat(next.get(30, TimeUnit.SECONDS)).contains(ScriptedSource.effect(1));
  }

  @Test
  void shouldNotWaitIfToldSo() throws Exception {
    assertThat(feed.next(Duration.ZERO)).isEmpty();
    assertThat(feed.next(Duration.ofMillis(1))).isEmpty();
    assertThat(feed.isEnded()).isFalse();
    source.show(1);
    assertThat(feed.next(Duration.ZERO)).isPresent();
  }

  @Test
  void shouldEndAWaitWithTheFeed() throws Exception {
    FutureTask<Optional<Effect>> next = startNext();
    source.complete();
    assertThat(next.get(30, TimeUnit.SECONDS)).isEmpty();
    assertThat(feed.isEnded()).isTrue();
  }

  @Test
  void shouldEndAWaitWhenItIsClosed() throws Exception {
    FutureTask<Optional<Effect>> next = startNext();
    feed.close();
    assertThat(next.get(30, TimeUnit.SECONDS)).isEmpty();
    assertThat(source.isClosed()).isTrue();
  }

  @Test
  void shouldFailWithTheFeed() {
    source.fail(new EntroQException.OutOfRange("no longer kept", 5, 9));
    assertThatThrownBy(feed::next)
        .isInstanceOfSatisfying(
            EntroQException.OutOfRange.class,
            why -> assertThat(why.first() + "-" + why.last()).isEqualTo("5-9"));
  }

  @Test
  void shouldBeInterruptible() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(feed::next).isInstanceOf(InterruptedException.class);
    assertThat(source.isClosed()).isFalse();
  }

  @Test
  void shouldSayThatThereIsNone() {
    try (FakeEntroQ queue = new FakeEntroQ()) {
      assertThatThrownBy(() -> Feed.of(queue))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessage("this queue has no feed");
    }
  }

  /** On another thread, which waits when this returns. */
  private FutureTask<Optional<Effect>> startNext() {
    FutureTask<Optional<Effect>> next = new FutureTask<>(feed::next);
    Thread thread = new Thread(next, "reader");
    thread.setDaemon(true);
    thread.start();
    while (!source.isAwaited()) {
      Thread.onSpinWait();
    }
    return next;
  }
}
