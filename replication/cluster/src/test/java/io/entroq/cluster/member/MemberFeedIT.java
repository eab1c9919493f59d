package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.cluster.mirror.MirrorConfig;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The feed of a member: what it applies after a reader was opened, until the member ends. */
class MemberFeedIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;

  private static final class Seen implements EffectConsumer {
    private final List<Integer> kinds = new ArrayList<>();
    private long marked;

    @Override
    public void onEffect(EffectReader effect) {
      kinds.add(effect.kind());
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      marked = sequence;
    }

    /** How many effects there are after another look. */
    private int poll(FeedReader reader) {
      reader.poll(this, Integer.MAX_VALUE);
      return kinds.size();
    }
  }

  @Test
  void shouldShowWhatTheMemberApplies() throws Exception {
    List<FeedReader> opened = new ArrayList<>();
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      lone.awaitLeader();
      ClusterMember member = lone.member();
      member.queue().modify(Modification.insert("inbox", "before")).orThrow();
      FeedReader reader = member.feed().open(FeedRequest.all(new FeedRequest.Start.Now()));
      opened.add(reader);
      Seen seen = new Seen();
      Await.until(
          "a member without commands gives a mark", () -> seen.poll(reader) + seen.marked > 0);
      assertThat(seen.kinds).isEmpty();
      member.queue().modify(Modification.insert("inbox", "after")).orThrow();
      Await.until("the insert is shown", () -> seen.poll(reader) > 0);
      assertThat(seen.kinds).containsExactly(EffectKinds.INSERTED);
      assertThat(seen.marked).isLessThanOrEqualTo(member.feed().kept().lastSequence());
    }
    assertThat(opened.get(0).ended().orElseThrow().reason()).isEqualTo(FeedEnd.Reason.CLOSED);
  }

  @Test
  void shouldShowFromItsMirrorWhatWasBefore() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      lone.awaitLeader();
      ClusterMember member = lone.member();
      for (int i = 0; i < 10; i++) {
        member.queue().modify(Modification.insert("inbox", "before")).orThrow();
      }
      lone.awaitMirror();
      FeedRange kept = Feed.of(member.queue()).range();
      assertThat(kept.first()).isEqualTo(1);
      FeedQuery all =
          FeedQuery.after(FeedPosition.after(0))
              .kinds(EffectKind.INSERTED)
              .until(FeedPosition.after(kept.last()))
              .build();
      assertThat(inserts(member, all)).isEqualTo(10);
      lone.snapshot();
      member.queue().modify(Modification.insert("inbox", "after")).orThrow();
      FeedQuery state = FeedQuery.fromSnapshot().until(Instant.now()).build();
      assertThat(inserts(member, state)).isEqualTo(11);
    }
  }

  private static int inserts(ClusterMember member, FeedQuery query) throws Exception {
    int count = 0;
    try (FeedIterator feed = Feed.of(member.queue()).iterator(query)) {
      while (feed.next(PATIENCE).isPresent()) {
        count++;
      }
      assertThat(feed.isEnded()).isTrue();
    }
    return count;
  }

  @Test
  void shouldSendReadersElsewhereWithoutAMirror() throws Exception {
    try (LoneMember lone =
        new LoneMember(directory)
            .start(config -> config.bootstrap(true).mirror(MirrorConfig.OFF))) {
      lone.awaitLeader();
      ClusterMember member = lone.member();
      member.queue().modify(Modification.insert("inbox", "before")).orThrow();
      FeedQuery all = FeedQuery.after(FeedPosition.after(0)).build();
      assertThatThrownBy(() -> inserts(member, all)).isInstanceOf(EntroQException.OutOfRange.class);
    }
  }

  @Test
  void shouldShowItByTheApi() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      lone.awaitLeader();
      EntroQ queue = lone.member().queue();
      try (FeedIterator feed = Feed.of(queue).iterator(FeedQuery.fromNow().build())) {
        Modification insert = Modification.insert("inbox", "hello");
        Task task = queue.modify(insert).orThrow().inserted().get(0);
        Effect effect = feed.next(PATIENCE).orElseThrow();
        assertThat(effect.kind()).isEqualTo(EffectKind.INSERTED);
        assertThat(effect.task().orElseThrow().id()).isEqualTo(task.id());
      }
    }
  }
}
