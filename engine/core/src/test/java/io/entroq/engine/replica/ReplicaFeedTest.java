package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.embedded.Await;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The feed of a replica. */
class ReplicaFeedTest {
  private static final class Seen implements EffectConsumer {
    private final List<Integer> kinds = new ArrayList<>();

    @Override
    public void onEffect(EffectReader effect) {
      kinds.add(effect.kind());
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {}
  }

  @Test
  void shouldShowWhatIsAppliedAfterAReaderWasOpened() {
    FeedReader[] opened = new FeedReader[1];
    try (ReplicaLoop replica = new ReplicaLoop()) {
      replica.queue().modify(Modification.insert("q", "before")).orThrow();
      FeedReader reader =
          opened[0] = replica.feed().open(FeedRequest.all(new FeedRequest.Start.Now()));
      replica.queue().modify(Modification.insert("q", "after")).orThrow();
      Seen seen = new Seen();
      Await.until(
          "the insert is shown",
          () -> reader.poll(seen, Integer.MAX_VALUE) >= 0 && !seen.kinds.isEmpty());
      assertThat(seen.kinds).containsExactly(EffectKinds.INSERTED);
    }
    assertThat(opened[0].ended().orElseThrow().reason()).isEqualTo(FeedEnd.Reason.CLOSED);
  }
}
