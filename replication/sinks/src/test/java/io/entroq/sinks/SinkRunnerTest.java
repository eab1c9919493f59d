package io.entroq.sinks;

import static io.entroq.service.testing.Await.until;
import static io.entroq.sinks.TestEffects.inserted;
import static io.entroq.sinks.TestEffects.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedQuery.Start;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a runner does when a feed or a sink fails. */
@Timeout(60)
class SinkRunnerTest {
  private final ScriptedFeed feed = new ScriptedFeed();
  private final MemorySink sink = new MemorySink();
  private final FeedQuery query =
      FeedQuery.fromSnapshot().until(Instant.EPOCH).queues("inbox").withValues().build();
  private final SinkRunner runner = new SinkRunner(feed.queue(), query, sink);

  private Start start(int run) {
    return feed.opened.get(run).start();
  }

  @Test
  void shouldBeginAsAskedAndThenBehindWhatIsKept() {
    feed.effect(inserted(1, 0)).mark(step(1));
    try (Running first = new Running(runner)) {
      until("it is kept", () -> first.runner().progress().effects() == 1);
    }
    assertThat(sink.isClosed).isTrue();
    assertThat(sink.states).isEqualTo(1);
    try (Running second = new Running(new SinkRunner(feed.queue(), query, sink))) {
      until("it has begun", () -> feed.opened.size() == 2);
      assertThat(second.runner().progress().position()).contains(step(1));
    }
    assertThat(feed.opened.get(0)).isEqualTo(query);
    assertThat(feed.opened.get(1))
        .isEqualTo(
            FeedQuery.after(step(1)).until(Instant.EPOCH).queues("inbox").withValues().build());
    assertThat(sink.states).isEqualTo(1);
  }

  @Test
  void shouldWaitWhileTheSinkOrTheQueueIsAway() {
    sink.kept = Optional.of(step(1));
    sink.failures.add(SinkException.temporary("away", null));
    sink.failures.add(SinkException.temporary("away", null));
    feed.failure(new EntroQException.ResourceExhausted("too many replays"));
    feed.effect(inserted(2, 0)).mark(step(2));
    try (Running running = new Running(runner)) {
      until("it is kept", () -> running.runner().progress().effects() == 1);
      assertThat(running.runner().progress().problem()).isEmpty();
    }
    assertThat(sink.batches).hasSize(1);
    assertThat(start(1)).isEqualTo(new Start.After(step(1)));
  }

  @Test
  void shouldSayWhyItWaits() {
    for (int i = 0; i < 100; i++) {
      sink.failures.add(SinkException.temporary("the database is away", null));
    }
    try (Running running = new Running(runner)) {
      until("it waits", () -> running.runner().progress().problem().isPresent());
      assertThat(running.runner().progress().problem()).contains("the database is away");
    }
  }

  @Test
  void shouldGiveUpWhenSomebodyHasToDoSomething() {
    sink.failures.add(SinkException.permanent("drop the table"));
    assertThat(new Running(runner).failure()).hasMessage("drop the table");
    sink.kept = Optional.of(step(7));
    feed.failure(new EntroQException.InvalidArgument("the position is of another log"));
    SinkException ofFeed = new Running(new SinkRunner(feed.queue(), query, sink)).failure();
    assertThat(ofFeed).hasMessage("after " + step(7) + ": the position is of another log");
    assertThat(sink.isClosed).isTrue();
  }

  @Test
  void shouldSayWhatToDoWhenEffectsAreNoLongerKept() {
    sink.kept = Optional.of(step(7));
    feed.failure(new EntroQException.OutOfRange("gone", 20, 30));
    assertThat(new Running(runner).failure())
        .hasMessageContaining("effects after " + step(7) + " are no longer kept")
        .hasMessageContaining("step 20")
        .hasMessageContaining("beginAgainIfNeeded")
        .hasMessageContaining("--history");
    sink.canBeginAgain = false;
    feed.failure(new EntroQException.OutOfRange("gone", 20, 30));
    assertThat(new Running(new SinkRunner(feed.queue(), query, sink)).failure())
        .hasMessageContaining("under another name");
    assertThatThrownBy(() -> new SinkRunner(feed.queue(), query, sink).beginAgainIfNeeded())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldBeginWithTheStateAgainIfItMay() {
    sink.kept = Optional.of(step(7));
    feed.failure(new EntroQException.OutOfRange("gone", 20, 30));
    feed.failure(new EntroQException.Unavailable("interrupted"));
    feed.effect(TestEffects.existing("a")).mark(step(31));
    try (Running running = new Running(runner.beginAgainIfNeeded())) {
      until("it is kept", () -> running.runner().progress().effects() == 1);
      until("it is complete", () -> sink.kept.equals(Optional.of(step(31))));
    }
    assertThat(start(0)).isEqualTo(new Start.After(step(7)));
    assertThat(start(1)).isEqualTo(new Start.Snapshot());
    assertThat(start(2)).isEqualTo(new Start.Snapshot());
    assertThat(sink.states).isEqualTo(2);
  }

  @Test
  void shouldGiveUpIfThereIsNoStateEither() {
    sink.kept = Optional.of(step(7));
    feed.failure(new EntroQException.OutOfRange("gone", 20, 30));
    feed.failure(new EntroQException.OutOfRange("no history is kept", 20, 30));
    assertThat(new Running(runner.beginAgainIfNeeded()).failure())
        .hasMessage("after " + step(7) + ": no history is kept");
  }

  @Test
  void shouldNotTakeTheFutureForWhatIsGone() {
    sink.kept = Optional.of(step(70));
    feed.failure(new EntroQException.OutOfRange("the log ends with 30", 20, 30));
    assertThat(new Running(runner.beginAgainIfNeeded()).failure())
        .hasMessage("after " + step(70) + ": the log ends with 30");
  }

  /** A sink that fails as a test wants. */
  private static final class MemorySink implements FeedSink {
    final Queue<SinkException> failures = new ConcurrentLinkedQueue<>();
    final List<SinkBatch> batches = Collections.synchronizedList(new ArrayList<>());
    volatile Optional<FeedPosition> kept = Optional.empty();
    volatile boolean canBeginAgain = true;
    volatile boolean isClosed;
    volatile int states;

    @Override
    public Optional<FeedPosition> open(FeedQuery query) {
      isClosed = false;
      if (!failures.isEmpty()) {
        throw failures.poll();
      }
      return kept;
    }

    @Override
    public void beginState() {
      states = states + 1;
    }

    @Override
    public void apply(SinkBatch batch) {
      batches.add(batch);
      kept = batch.position().or(() -> kept);
    }

    @Override
    public boolean canBeginAgain() {
      return canBeginAgain;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
