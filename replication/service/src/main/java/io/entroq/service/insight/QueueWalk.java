package io.entroq.service.insight;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** One look at all queues, page by page. */
final class QueueWalk implements Completion {
  private final Moment moment;
  private final Executor executor;
  private final CompletableFuture<SweepColumns> done = new CompletableFuture<>();
  private final SweepColumns.Builder queues;
  private Listing listing;

  /**
   * @param moment of the queues
   * @param queuesMax how many queues are remembered
   * @param executor sorts
   */
  QueueWalk(Moment moment, int queuesMax, Executor executor) {
    this.moment = moment;
    this.executor = executor;
    queues = new SweepColumns.Builder(queuesMax);
  }

  /** What was found, when all was; completes exceptionally if the engine refuses. */
  CompletableFuture<SweepColumns> found() {
    return done;
  }

  void begin(Gateway gateway) {
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
      done.complete(queues.build(moment.timeMs()));
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  @Override
  public void onFailure(EntroQException failure) {
    done.completeExceptionally(failure);
  }
}
