package io.entroq.service.insight;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Looks at all queues now and then: only when somebody asks, not before the last look is ten
 * seconds old, and for at most a hundredth of the time. Any thread.
 */
final class QueueSweep {
  /** Looks are at least so far apart. */
  static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

  /** After a look nobody looks for so many times as long. */
  static final int REST_PARTS = 100;

  /** If the last look is older, it is worth to wait for the next. */
  static final long STALE_NS = TimeUnit.SECONDS.toNanos(60);

  private final Gateway gateway;
  private final int queuesMax;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private CompletableFuture<SweepColumns> latest =
      CompletableFuture.completedFuture(SweepColumns.NONE);
  private CompletableFuture<SweepColumns> next;
  private long beganNs;
  private long endedNs;
  private long restNs;
  private boolean hasLooked;

  /**
   * @param queuesMax how many queues are remembered
   * @param executor sorts
   */
  QueueSweep(Gateway gateway, int queuesMax, Executor executor, LongSupplier nanoTime) {
    this.gateway = gateway;
    this.queuesMax = queuesMax;
    this.executor = executor;
    this.nanoTime = nanoTime;
  }

  /**
   * The last look, unless that is too old to be of use. Looks again if it is time.
   *
   * @return completes exceptionally if the engine refuses and there is no earlier look
   */
  synchronized CompletableFuture<SweepColumns> look() {
    long nowNs = nanoTime.getAsLong();
    if (next == null && (!hasLooked || nowNs - endedNs >= restNs)) {
      begin(nowNs);
    }
    boolean isStale = !hasLooked || nowNs - endedNs > STALE_NS + restNs;
    return (isStale && next != null ? next : latest).copy();
  }

  /** How old the last look is, in nanoseconds; 0 before the first. */
  synchronized long ageNs() {
    return hasLooked ? nanoTime.getAsLong() - endedNs : 0;
  }

  private void begin(long nowNs) {
    beganNs = nowNs;
    CompletableFuture<SweepColumns> begun = new CompletableFuture<>();
    // Who waits goes on after the end of the look is noted.
    next = begun.whenComplete((found, failure) -> end(begun, failure == null));
    new Walk(begun).begin();
  }

  private synchronized void end(CompletableFuture<SweepColumns> ended, boolean isGood) {
    endedNs = nanoTime.getAsLong();
    restNs = Math.max(INTERVAL_NS, REST_PARTS * (endedNs - beganNs));
    next = null;
    if (isGood) {
      latest = ended;
      hasLooked = true;
    } else if (!hasLooked) {
      latest = ended;
    }
  }

  /** Lists all queues, page by page. */
  private final class Walk implements Completion {
    private final CompletableFuture<SweepColumns> done;
    private final SweepColumns.Builder found = new SweepColumns.Builder(queuesMax);
    private Listing listing;

    Walk(CompletableFuture<SweepColumns> done) {
      this.done = done;
    }

    void begin() {
      try {
        listing = gateway.queues(buffer -> new ListQueuesEncoder().wrap(buffer, 0).length());
        listing.next(this);
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
      }
    }

    @Override
    public void onResult(ResultDecoder result) {
      try {
        for (int i = 0; i < result.queueCount(); i++) {
          found.add(result.buffer(), result.queue(i));
        }
        if (listing.isComplete()) {
          executor.execute(this::build);
        } else {
          listing.next(this);
        }
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
      }
    }

    private void build() {
      try {
        done.complete(found.build(System.currentTimeMillis()));
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
      }
    }

    @Override
    public void onFailure(EntroQException failure) {
      done.completeExceptionally(failure);
    }
  }
}
