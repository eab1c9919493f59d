package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.service.feed.ScriptedFeed;
import io.entroq.service.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class InsightReaderTest {
  private final ScriptedFeed feed = new ScriptedFeed();
  private final EffectTally tally = new EffectTally(new RateBook(100, 100), new WorkerBook(10, 10));

  private InsightReader reader;

  @AfterEach
  void close() {
    if (reader != null) {
      reader.close();
    }
  }

  private long inserted() {
    return tally.rates(rates -> rates.all().total(Event.INSERTED));
  }

  @Test
  void shouldCountFromNowOnWithoutValuesAndWithoutHistory() {
    reader = InsightReader.start(feed, tally);
    assertThat(feed.reader(0).request()).isEqualTo(FeedRequest.all(new FeedRequest.Start.Live()));
    feed.reader(0).step(10, ScriptedFeed.task(EffectKinds.INSERTED, "a", "q"));
    Await.until("it is counted", () -> inserted() == 1);
    Await.until("it waits", () -> feed.reader(0).isAwaited());
    feed.reader(0).step(11, ScriptedFeed.task(EffectKinds.INSERTED, "b", "q"));
    Await.until("it is counted", () -> inserted() == 2);
    close();
    assertThat(feed.reader(0).isClosed()).isTrue();
  }

  @Test
  void shouldBeginAgainAndMarkAGapWhenItHasFallenBehind() {
    reader = InsightReader.start(feed, tally);
    feed.reader(0).step(10, ScriptedFeed.task(EffectKinds.INSERTED, "a", "q"));
    feed.reader(0).end(FeedEnd.Reason.OUT_OF_RANGE, "too slow");
    feed.reader(1).step(90, ScriptedFeed.task(EffectKinds.INSERTED, "b", "q"));
    Await.until("it is counted", () -> inserted() == 2);
    assertThat(tally.rates(RateBook::gaps)).hasSize(1);
    assertThat(feed.reader(0).isClosed()).isTrue();
  }

  @Test
  void shouldTryAgainWhereThereIsNoFeedAndAfterAFault() {
    feed.refuse(new EntroQException.ResourceExhausted("too many readers"));
    reader = InsightReader.start(feed, tally);
    feed.refuse(null);
    feed.reader(0).fail();
    feed.reader(1).step(12, ScriptedFeed.task(EffectKinds.INSERTED, "a", "q"));
    Await.until("it is counted", () -> inserted() == 1);
  }

  @Test
  void shouldLeaveNoThreadBehind() {
    for (int i = 0; i < 20; i++) {
      InsightReader.start(feed, tally).close();
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("entroq-insight"));
  }
}
