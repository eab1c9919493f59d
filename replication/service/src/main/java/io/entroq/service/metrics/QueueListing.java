package io.entroq.service.metrics;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import java.util.concurrent.CompletableFuture;

/** Reads the statistics of all queues once. */
final class QueueListing implements Completion {
  private final Listing listing;
  private final LargestQueues queues;
  private final CompletableFuture<LargestQueues> done = new CompletableFuture<>();

  private QueueListing(Gateway gateway, int max) {
    this.queues = new LargestQueues(max);
    this.listing = gateway.queues(buffer -> new ListQueuesEncoder().wrap(buffer, 0).length());
  }

  /** Completes exceptionally if the engine refuses. */
  static CompletableFuture<LargestQueues> of(Gateway gateway, int max) {
    try {
      QueueListing listing = new QueueListing(gateway, max);
      listing.listing.next(listing);
      return listing.done;
    } catch (EntroQException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void onResult(ResultDecoder result) {
    try {
      for (int i = 0; i < result.queueCount(); i++) {
        queues.add(QueueSize.of(result, result.queue(i)));
      }
      if (listing.isComplete()) {
        done.complete(queues);
      } else {
        listing.next(this);
      }
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  @Override
  public void onFailure(EntroQException failure) {
    done.completeExceptionally(failure);
  }
}
