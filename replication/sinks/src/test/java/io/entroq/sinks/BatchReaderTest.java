package io.entroq.sinks;

import static io.entroq.sinks.TestEffects.existing;
import static io.entroq.sinks.TestEffects.inserted;
import static io.entroq.sinks.TestEffects.position;
import static io.entroq.sinks.TestEffects.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Value;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedQuery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a feed is cut into batches. */
@Timeout(60)
class BatchReaderTest {
  private final ScriptedFeed script = new ScriptedFeed();
  private final FeedIterator feed = Feed.of(script.queue()).iterator(FeedQuery.fromNow().build());
  private final BatchReader batches = new BatchReader(feed, Duration.ZERO);

  private SinkBatch next() throws InterruptedException {
    return batches.next().orElseThrow();
  }

  @Test
  void shouldTakeAllStepsThatAreThere() throws Exception {
    script.effect(inserted(1, 0)).effect(inserted(2, 0)).effect(inserted(2, 1)).mark(step(2));
    SinkBatch batch = next();
    assertThat(batch.effects()).containsExactly(inserted(1, 0), inserted(2, 0), inserted(2, 1));
    assertThat(batch.position()).contains(step(2));
  }

  @Test
  void shouldWaitForTheRestOfAStep() throws Exception {
    script.effect(inserted(1, 0));
    CompletableFuture<SinkBatch> batch =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return next();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    script.effect(inserted(1, 1)).mark(step(1));
    assertThat(batch).succeedsWithin(Duration.ofSeconds(30));
    assertThat(batch.join().effects()).containsExactly(inserted(1, 0), inserted(1, 1));
  }

  @Test
  void shouldCutBetweenSteps() throws Exception {
    for (int i = 0; i <= BatchReader.EFFECTS_MAX; i++) {
      script.effect(inserted(7, i));
    }
    script.effect(inserted(8, 0)).effect(inserted(9, 0)).mark(step(9));
    SinkBatch first = next();
    assertThat(first.effects()).hasSize(BatchReader.EFFECTS_MAX + 1);
    assertThat(first.position()).contains(step(7));
    SinkBatch rest = next();
    assertThat(rest.effects()).containsExactly(inserted(8, 0), inserted(9, 0));
    assertThat(rest.position()).contains(step(9));
  }

  @Test
  void shouldCutWhenValuesAreLarge() throws Exception {
    Value large = Value.bytes(new byte[(int) BatchReader.VALUE_BYTES_MAX]);
    script.effect(
        TestEffects.effect(EffectKind.INSERTED, Optional.of(position(1, 0)), "large", large));
    script.effect(inserted(2, 0)).mark(step(2));
    assertThat(next().position()).contains(step(1));
    assertThat(next().position()).contains(step(2));
  }

  @Test
  void shouldShowThatAStateIsComplete() throws Exception {
    script.effect(existing("a")).effect(existing("b"));
    SinkBatch state = next();
    assertThat(state.effects()).hasSize(2);
    assertThat(state.position()).isEmpty();
    script.mark(step(5));
    assertThat(next()).isEqualTo(new SinkBatch(List.of(), Optional.of(step(5))));
  }

  @Test
  void shouldShowPositionsThatAdvanceWithoutEffects() throws Exception {
    script.mark(step(3));
    assertThat(next()).isEqualTo(new SinkBatch(List.of(), Optional.of(step(3))));
    script.mark(step(4));
    assertThat(next()).isEqualTo(new SinkBatch(List.of(), Optional.of(step(4))));
  }

  @Test
  void shouldLeaveOutAStepThatIsNotWholeAtTheEnd() throws Exception {
    script.effect(inserted(1, 0));
    CompletableFuture<Void> end = CompletableFuture.runAsync(feed::close);
    assertThat(batches.next()).isEmpty();
    end.join();
  }
}
