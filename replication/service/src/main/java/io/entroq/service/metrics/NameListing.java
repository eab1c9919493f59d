package io.entroq.service.metrics;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ListNamespacesEncoder;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Reads the statistics of all queues, or of all namespaces, once. */
final class NameListing implements Completion {
  private final Listing listing;
  private final LargestNames names;
  private final CompletableFuture<LargestNames> done = new CompletableFuture<>();

  private NameListing(Listing listing, LargestNames names) {
    this.listing = listing;
    this.names = names;
  }

  /** Completes exceptionally if the engine refuses. */
  static CompletableFuture<LargestNames> queues(Gateway gateway, int max) {
    return read(
        () -> gateway.queues(buffer -> new ListQueuesEncoder().wrap(buffer, 0).length()),
        new LargestNames(max, "(other queues)"));
  }

  /** Completes exceptionally if the engine refuses. */
  static CompletableFuture<LargestNames> namespaces(Gateway gateway, int max) {
    return read(
        () -> gateway.namespaces(buffer -> new ListNamespacesEncoder().wrap(buffer, 0).length()),
        new LargestNames(max, "(other namespaces)"));
  }

  private static CompletableFuture<LargestNames> read(Supplier<Listing> open, LargestNames names) {
    try {
      NameListing listing = new NameListing(open.get(), names);
      listing.listing.next(listing);
      return listing.done;
    } catch (EntroQException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void onResult(ResultDecoder result) {
    try {
      // Only one of them has entries.
      for (int i = 0; i < result.queueCount(); i++) {
        names.add(NameSize.of(result, result.queue(i)));
      }
      for (int i = 0; i < result.namespaceCount(); i++) {
        names.add(NameSize.of(result, result.namespace(i)));
      }
      if (listing.isComplete()) {
        done.complete(names);
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
