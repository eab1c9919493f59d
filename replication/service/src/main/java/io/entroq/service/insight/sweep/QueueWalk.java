package io.entroq.service.insight.sweep;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** One look at all queues, page by page. */
public final class QueueWalk implements Completion {
  private final LongSupplier readMs;
  private final Executor executor;
  private final CompletableFuture<SweepColumns> done = new CompletableFuture<>();
  private final SweepColumns.Builder queues;
  private Listing listing;

  /**
   * @param readMs as of when they are read, in milliseconds since the epoch; asked at the end
   * @param queuesMax how many queues are remembered
   * @param executor sorts
   */
  public QueueWalk(LongSupplier readMs, int queuesMax, Executor executor) {
    this.readMs = readMs;
    this.executor = executor;
    queues = new SweepColumns.Builder(queuesMax);
  }

  /** What was found, when all was; completes exceptionally if the engine refuses. */
  public CompletableFuture<SweepColumns> found() {
    return done;
  }

  /** Begins it, once. */
  public void begin(Gateway gateway) {
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
        queues.add(result.buffer(), result.queue(i));
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
      done.complete(queues.build(readMs.getAsLong()));
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  @Override
  public void onFailure(EntroQException failure) {
    done.completeExceptionally(failure);
  }
}
