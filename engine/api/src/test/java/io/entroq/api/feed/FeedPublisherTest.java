package io.entroq.api.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** The rules of reactive streams. The test runs what the publisher wants to run. */
class FeedPublisherTest {
  private final ScriptedSource source = new ScriptedSource();
  private final Queue<Runnable> work = new ArrayDeque<>();
  private final Recorder recorder = new Recorder();

  private void subscribe() {
    new FeedPublisher(source, FeedQuery.fromNow().build(), work::add).subscribe(recorder);
    run();
  }

  private void run() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private void request(long count) {
    recorder.subscription.request(count);
    run();
  }

  @Test
  void shouldShowWhatIsAskedFor() {
    source.show(1, 2, 3);
    subscribe();
    assertThat(source.taken()).isZero();
    request(2);
    assertThat(recorder.seen).containsExactly("1", "2");
    assertThat(source.taken()).isEqualTo(2);
    request(Long.MAX_VALUE);
    request(Long.MAX_VALUE);
    assertThat(recorder.seen).containsExactly("1", "2", "3");
    source.show(4);
    run();
    assertThat(recorder.seen).containsExactly("1", "2", "3", "4");
  }

  @Test
  void shouldNotCallASubscriberThatAsksForMoreWithinItsCall() {
    recorder.onEach = () -> recorder.subscription.request(1);
    source.show(1, 2, 3);
    subscribe();
    request(1);
    assertThat(recorder.seen).containsExactly("1", "2", "3");
    assertThat(recorder.depthMax).isEqualTo(1);
  }

  @Test
  void shouldCompleteOnce() {
    source.show(1);
    source.complete();
    subscribe();
    request(1);
    request(1);
    request(1);
    assertThat(recorder.seen).containsExactly("1", "complete");
    assertThat(source.isClosed()).isTrue();
  }

  @Test
  void shouldFailOnce() {
    source.show(1);
    source.fail(new EntroQException.OutOfRange("no longer kept", 5, 9));
    subscribe();
    request(5);
    request(5);
    assertThat(recorder.seen).containsExactly("1", "no longer kept");
    assertThat(source.isClosed()).isTrue();
  }

  @Test
  void shouldFailIfNoFeedCanBeOpened() {
    source.refuse(new EntroQException.Closed("closed"));
    subscribe();
    run();
    assertThat(recorder.seen).containsExactly("closed");
  }

  @Test
  void shouldRefuseToShowNothing() {
    source.show(1);
    subscribe();
    request(0);
    request(1);
    assertThat(recorder.seen).containsExactly("a subscriber must request 1 or more");
  }

  @Test
  void shouldNotCallAfterCancel() {
    recorder.onEach = () -> recorder.subscription.cancel();
    source.show(1, 2);
    subscribe();
    request(9);
    source.fail(new EntroQException.Closed("closed"));
    request(9);
    assertThat(recorder.seen).containsExactly("1");
    assertThat(source.isClosed()).isTrue();
  }

  @Test
  void shouldEndTheFeedOfASubscriberThatFails() {
    recorder.onEach =
        () -> {
          throw new IllegalStateException("it fails");
        };
    source.show(1, 2);
    subscribe();
    assertThatThrownBy(() -> request(9)).hasMessage("it fails");
    assertThat(recorder.seen).containsExactly("1");
    assertThat(source.isClosed()).isTrue();
  }

  @Test
  void shouldRefuseNobody() {
    assertThatThrownBy(
            () -> new FeedPublisher(source, FeedQuery.fromNow().build(), work::add).subscribe(null))
        .isInstanceOf(NullPointerException.class);
  }

  /** Writes down all calls. */
  private static final class Recorder implements Flow.Subscriber<Effect> {
    private final List<String> seen = new ArrayList<>();
    private Flow.Subscription subscription;
    private Runnable onEach = () -> {};
    private int depth;
    private int depthMax;

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
      subscription = newSubscription;
    }

    @Override
    public void onNext(Effect effect) {
      depth++;
      depthMax = Math.max(depth, depthMax);
      seen.add(effect.position().orElseThrow().text());
      onEach.run();
      depth--;
    }

    @Override
    public void onError(Throwable why) {
      seen.add(why.getMessage());
    }

    @Override
    public void onComplete() {
      seen.add("complete");
    }
  }
}
