package io.entroq.service.insight;

import io.entroq.api.EntroQException;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all effects from now on, on a thread of its own. One that has fallen behind begins again
 * and takes none of the places where history is read; what it missed becomes a gap.
 */
final class InsightReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InsightReader.class);

  /** Taken at a time, in bytes of frames. */
  private static final int POLL_BYTES = 64 << 10;

  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

  private final EffectFeed feed;
  private final EffectTally tally;
  private final Thread thread = new Thread(this::run, "entroq-insight");
  private volatile boolean isTold;
  private volatile boolean isClosed;

  private InsightReader(EffectFeed feed, EffectTally tally) {
    this.feed = feed;
    this.tally = tally;
    thread.setDaemon(true);
  }

  static InsightReader start(EffectFeed feed, EffectTally tally) {
    InsightReader reader = new InsightReader(feed, tally);
    reader.thread.start();
    return reader;
  }

  private void run() {
    while (!isClosed) {
      try (FeedReader reader = feed.open(FeedRequest.all(new FeedRequest.Start.Live()))) {
        read(reader);
      } catch (EntroQException e) {
        LOG.debug("There is no feed to count events.", e);
        rest();
      } catch (RuntimeException | Error e) {
        LOG.error("Events are not counted for a moment because of an internal error.", e);
        rest();
      }
      tally.interrupt();
    }
  }

  private void read(FeedReader reader) {
    while (!isClosed) {
      if (tally.poll(reader, POLL_BYTES) > 0) {
        continue;
      }
      if (reader.ended().isPresent()) {
        LOG.debug("Events were missed: {}", reader.ended().get().text());
        // One that cannot be opened ends at once.
        rest();
        return;
      }
      await(reader);
    }
  }

  private void await(FeedReader reader) {
    isTold = false;
    if (reader.await(this::tell)) {
      while (!isTold && !isClosed) {
        LockSupport.park(this);
      }
    }
  }

  private void tell() {
    isTold = true;
    LockSupport.unpark(thread);
  }

  private void rest() {
    long endNs = System.nanoTime() + RETRY_NS;
    for (long leftNs = RETRY_NS; leftNs > 0 && !isClosed; leftNs = endNs - System.nanoTime()) {
      LockSupport.parkNanos(this, leftNs);
    }
  }

  /** Returns when the thread has ended. */
  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(thread);
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
