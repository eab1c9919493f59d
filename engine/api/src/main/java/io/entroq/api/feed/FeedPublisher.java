package io.entroq.api.feed;

import io.entroq.api.EntroQException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Shows a feed to subscribers, as they ask for it. */
final class FeedPublisher implements Flow.Publisher<Effect> {
  private final FeedSource source;
  private final FeedQuery query;
  private final Executor executor;

  FeedPublisher(FeedSource source, FeedQuery query, Executor executor) {
    this.source = source;
    this.query = Objects.requireNonNull(query, "query");
    this.executor = Objects.requireNonNull(executor, "executor");
  }

  @Override
  public void subscribe(Flow.Subscriber<? super Effect> subscriber) {
    new Subscription(Objects.requireNonNull(subscriber, "subscriber")).start();
  }

  /** Runs on the executor, on one thread at a time, after each call that may let it go on. */
  private final class Subscription implements Flow.Subscription {
    private final Flow.Subscriber<? super Effect> subscriber;
    private final AtomicLong demand = new AtomicLong();

    /** How often it was woken since the last run began; 0 if no run is due. */
    private final AtomicInteger wakes = new AtomicInteger();

    private volatile boolean isCanceled;

    /** Whether it asked for less than one. */
    private volatile boolean isMisused;

    // Only used by the thread that runs.

    private boolean isSubscribed;

    /** Null before it was opened. */
    private FeedCursor cursor;

    private boolean isOver;

    Subscription(Flow.Subscriber<? super Effect> subscriber) {
      this.subscriber = subscriber;
    }

    void start() {
      wake();
    }

    @Override
    public void request(long n) {
      if (n <= 0) {
        isMisused = true;
      } else {
        demand.accumulateAndGet(n, (some, more) -> some + more < 0 ? Long.MAX_VALUE : some + more);
      }
      wake();
    }

    @Override
    public void cancel() {
      isCanceled = true;
      wake();
    }

    private void wake() {
      if (wakes.getAndIncrement() == 0) {
        executor.execute(this::run);
      }
    }

    private void run() {
      int seen;
      do {
        seen = wakes.get();
        if (!isOver) {
          step();
        }
      } while (wakes.addAndGet(-seen) != 0);
    }

    private void step() {
      try {
        if (!isSubscribed) {
          isSubscribed = true;
          subscriber.onSubscribe(this);
        }
        boolean goesOn = true;
        while (goesOn) {
          goesOn = show();
        }
      } catch (RuntimeException e) {
        // The subscriber has failed, and must not be called any more.
        end();
        throw e;
      }
    }

    /** Shows one effect; returns false if there is nothing to do before the next wake. */
    private boolean show() {
      if (isCanceled) {
        end();
        return false;
      }
      if (isMisused) {
        fail(new IllegalArgumentException("a subscriber must request 1 or more"));
        return false;
      }
      Optional<Effect> next;
      try {
        cursor = cursor == null ? source.openFeed(query) : cursor;
        if (demand.get() == 0) {
          return false;
        }
        next = cursor.poll();
      } catch (EntroQException e) {
        fail(e);
        return false;
      }
      if (next.isPresent()) {
        demand.decrementAndGet();
        subscriber.onNext(next.get());
        return true;
      }
      if (cursor.isEnded()) {
        end();
        subscriber.onComplete();
        return false;
      }
      return !cursor.await(this::wake);
    }

    private void fail(RuntimeException why) {
      end();
      if (!isCanceled) {
        subscriber.onError(why);
      }
    }

    private void end() {
      isOver = true;
      if (cursor != null) {
        cursor.close();
      }
    }
  }
}
