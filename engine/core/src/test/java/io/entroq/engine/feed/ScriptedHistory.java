package io.entroq.engine.feed;

import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.HistoryPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A history that shows marks when it is told to. */
final class ScriptedHistory implements History, FeedReader {
  final List<FeedRequest> requests = new ArrayList<>();
  FeedEnd end;
  HistoryPoint first = new HistoryPoint(0, Steps.TIME_MS);
  boolean isClosed;
  private long mark;

  void show(long newMark) {
    mark = newMark;
  }

  @Override
  public HistoryPoint first() {
    return first;
  }

  @Override
  public FeedReader open(FeedRequest request) {
    requests.add(request);
    return this;
  }

  @Override
  public int poll(EffectConsumer consumer, int bytesMax) {
    if (mark == 0) {
      return 0;
    }
    consumer.onMark(mark, Steps.TIME_MS + mark);
    mark = 0;
    return 1;
  }

  @Override
  public boolean await(Runnable onAvailable) {
    return mark == 0;
  }

  @Override
  public Optional<FeedEnd> ended() {
    return Optional.ofNullable(end);
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
