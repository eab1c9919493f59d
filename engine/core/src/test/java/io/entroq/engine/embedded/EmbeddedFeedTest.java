package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.DocInsert;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The feed of an engine in this process, by the API. */
@Timeout(60)
class EmbeddedFeedTest {
  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());

  @AfterEach
  void close() {
    queue.close();
  }

  private FeedIterator feed(FeedQuery query) {
    return Feed.of(queue).iterator(query);
  }

  private static List<Effect> next(FeedIterator feed, int count) throws InterruptedException {
    List<Effect> effects = new ArrayList<>();
    while (effects.size() < count) {
      effects.add(feed.next().orElseThrow());
    }
    return effects;
  }

  @Test
  void shouldEndAtATimeThoughTheEngineIsIdle() throws Exception {
    try (FeedIterator now = feed(FeedQuery.fromNow().until(Instant.now()).build())) {
      assertThat(now.next()).isEmpty();
    }
    try (FeedIterator all = feed(FeedQuery.fromNow().build())) {
      insert();
      next(all, 1);
      Task last = insert();
      FeedQuery query =
          FeedQuery.after(all.position().orElseThrow()).until(last.modified()).build();
      try (FeedIterator feed = feed(query)) {
        assertThat(next(feed, 1).get(0).task().orElseThrow().id()).isEqualTo(last.id());
        assertThat(feed.next()).isEmpty();
        assertThat(feed.isEnded()).isTrue();
      }
    }
  }

  private Task insert() {
    return queue.modify(Modification.insert("inbox", "hello")).orThrow().inserted().get(0);
  }

  @Test
  void shouldShowTasks() throws Exception {
    FeedQuery query =
        FeedQuery.fromNow()
            .queues("inbox")
            .kinds(EffectKind.INSERTED, EffectKind.MOVED)
            .withValues()
            .build();
    try (FeedIterator feed = feed(query)) {
      Task task = queue.modify(Modification.insert("inbox", "hello")).orThrow().inserted().get(0);
      queue.modify(Modification.insert("other", "hello")).orThrow();
      Change change = Change.of(task).moveTo("done");
      Task moved = queue.modify(Modification.change(change)).orThrow().changed().get(0);
      List<Effect> seen = next(feed, 2);
      assertThat(seen)
          .extracting(Effect::kind)
          .containsExactly(EffectKind.INSERTED, EffectKind.MOVED);
      assertThat(seen)
          .extracting(effect -> effect.task().orElseThrow())
          .containsExactly(task, moved);
      assertThat(seen)
          .extracting(Effect::formerQueue)
          .containsExactly(Optional.empty(), Optional.of("inbox"));
      assertThat(seen).extracting(Effect::requester).containsOnly(queue.claimant());
    }
  }

  @Test
  void shouldShowDocsAndPolicies() throws Exception {
    QueuePolicy rules = QueuePolicy.of("inbox").inFlight(3);
    try (FeedIterator feed = feed(FeedQuery.fromNow().build())) {
      Modification insert =
          Modification.builder().insertDoc(DocInsert.into("notes", "key")).build();
      queue.modify(insert).orThrow();
      Policies.Entry written = queue.policies().put(rules);
      queue.pause("other");
      List<Effect> seen = next(feed, 4);
      assertThat(seen)
          .extracting(Effect::kind)
          .containsExactly(
              EffectKind.DOC_INSERTED,
              EffectKind.SET_WRITTEN,
              EffectKind.POLICY_WRITTEN,
              EffectKind.POLICY_WRITTEN);
      assertThat(seen.get(0).doc().orElseThrow().key()).isEqualTo("key");
      assertThat(seen.get(1).docSet().orElseThrow().key()).isEqualTo("key");
      assertThat(seen.get(2).policy()).contains(written);
      assertThat(seen.get(3).policy().orElseThrow().rules()).isEmpty();
      assertThat(seen.get(3).policy().orElseThrow().pausedUntil()).isPresent();
    }
  }

  @Test
  void shouldGoOnAfterAPosition() throws Exception {
    try (FeedIterator feed = feed(FeedQuery.fromNow().build())) {
      queue.modify(Modification.builder().insert("inbox", "a").insert("inbox", "b").build());
      queue.modify(Modification.insert("inbox", "c")).orThrow();
      List<Effect> all = next(feed, 3);
      FeedPosition kept = FeedPosition.of(all.get(0).position().orElseThrow().text());
      FeedPosition last = all.get(2).position().orElseThrow();
      try (FeedIterator rest = feed(FeedQuery.after(kept).until(last).build())) {
        assertThat(next(rest, 2)).isEqualTo(all.subList(1, 3));
        assertThat(rest.next()).isEmpty();
        assertThat(rest.isEnded()).isTrue();
        assertThat(rest.position().orElseThrow().index()).isEqualTo(FeedPosition.WHOLE_STEP);
      }
    }
  }

  @Test
  void shouldSayWhatIsWrong() throws Exception {
    try (FeedIterator feed = feed(FeedQuery.fromNow().build())) {
      queue.modify(Modification.insert("inbox", "a")).orThrow();
      FeedPosition last = next(feed, 1).get(0).position().orElseThrow();
      assertFails(
          new FeedPosition(last.sequence(), 0, "0".repeat(32), 0),
          EntroQException.InvalidArgument.class);
    }
    assertThatThrownBy(() -> feed(FeedQuery.after(FeedPosition.of("1@x")).build()))
        .isInstanceOf(EntroQException.InvalidArgument.class);
  }

  @Test
  void shouldNotWaitForTheNextStepToSayThatValuesAreNotKept() {
    queue.modify(Modification.insert("inbox", "a")).orThrow();
    queue.modify(Modification.insert("inbox", "b")).orThrow();
    FeedQuery query = FeedQuery.after(FeedPosition.after(1)).withValues().build();
    try (FeedIterator feed = feed(query)) {
      assertThatThrownBy(feed::next).isInstanceOf(EntroQException.OutOfRange.class);
    }
  }

  private void assertFails(FeedPosition position, Class<? extends EntroQException> exception) {
    try (FeedIterator feed = feed(FeedQuery.after(position).build())) {
      assertThatThrownBy(feed::next).isInstanceOf(exception);
    }
  }

  @Test
  void shouldEndWithTheEngine() {
    FeedIterator feed = feed(FeedQuery.fromNow().build());
    queue.close();
    assertThatThrownBy(feed::next).isInstanceOf(EntroQException.Closed.class);
    feed.close();
    assertThat(feed.isEnded()).isTrue();
  }
}
