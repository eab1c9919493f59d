package io.entroq.sinks;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.api.feed.FeedSource;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A feed that a test shows. Each cursor goes on with what was not polled. */
final class ScriptedFeed implements FeedSource {
  /** What each cursor was asked for. */
  final List<FeedQuery> opened = new ArrayList<>();

  private final ConcurrentLinkedQueue<Object> shown = new ConcurrentLinkedQueue<>();
  private volatile Optional<FeedPosition> position = Optional.empty();

  /** A queue that has this feed and nothing else. */
  EntroQ queue() {
    return (EntroQ)
        Proxy.newProxyInstance(
            EntroQ.class.getClassLoader(),
            new Class<?>[] {EntroQ.class},
            (proxy, method, arguments) -> Optional.of(this));
  }

  ScriptedFeed effect(Effect effect) {
    shown.add(effect);
    return this;
  }

  ScriptedFeed mark(FeedPosition at) {
    shown.add(at);
    return this;
  }

  ScriptedFeed failure(EntroQException why) {
    shown.add(why);
    return this;
  }

  @Override
  public FeedCursor openFeed(FeedQuery query) {
    synchronized (opened) {
      opened.add(query);
    }
    return new Cursor();
  }

  @Override
  public FeedRange feedRange() {
    throw new UnsupportedOperationException("no sink asks for it");
  }

  private final class Cursor implements FeedCursor {
    private volatile boolean isClosed;

    @Override
    public Optional<Effect> poll() {
      while (!isClosed && !shown.isEmpty()) {
        Object next = shown.poll();
        if (next instanceof EntroQException failure) {
          throw failure;
        }
        if (next instanceof Effect effect) {
          position = effect.position();
          return Optional.of(effect);
        }
        position = Optional.of((FeedPosition) next);
      }
      return Optional.empty();
    }

    /** Polled again when the reader has waited long enough. */
    @Override
    public boolean await(Runnable onAvailable) {
      return true;
    }

    @Override
    public boolean isEnded() {
      return isClosed;
    }

    @Override
    public Optional<FeedPosition> position() {
      return position;
    }

    @Override
    public Optional<EntroQException> problem() {
      return Optional.empty();
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
