package io.entroq.service.collector;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.NamespaceStatsDecoder;
import io.entroq.codec.result.QueueStatsDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Listing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/** Lists the names that have a {@code gc=}, page by page, so that memory does not grow with all. */
final class CollectableNames implements Completion {
  /** Further names wait for the next sweep. */
  private static final int NAMES_MAX = 10_000;

  private static final byte[] PARAMETER = "gc=".getBytes(StandardCharsets.US_ASCII);

  private final Listing listing;
  private final boolean isOfQueues;
  private final List<String> names = new ArrayList<>();
  private final CompletableFuture<List<String>> done = new CompletableFuture<>();

  private CollectableNames(Listing listing, boolean isOfQueues) {
    this.listing = listing;
    this.isOfQueues = isOfQueues;
  }

  /** The names of queues with tasks. */
  static CompletableFuture<List<String>> ofQueues(Listing queues) {
    return new CollectableNames(queues, true).begin();
  }

  /** The names of namespaces with docs. */
  static CompletableFuture<List<String>> ofNamespaces(Listing namespaces) {
    return new CollectableNames(namespaces, false).begin();
  }

  private CompletableFuture<List<String>> begin() {
    try {
      listing.next(this);
    } catch (EntroQException e) {
      done.completeExceptionally(e);
    }
    return done;
  }

  @Override
  public void onResult(ResultDecoder result) {
    try {
      if (isOfQueues) {
        for (int i = 0; i < result.queueCount(); i++) {
          QueueStatsDecoder each = result.queue(i);
          add(result.buffer(), each.nameOffset(), each.nameLength());
        }
      } else {
        for (int i = 0; i < result.namespaceCount(); i++) {
          NamespaceStatsDecoder each = result.namespace(i);
          add(result.buffer(), each.nameOffset(), each.nameLength());
        }
      }
      if (listing.isComplete() || names.size() >= NAMES_MAX) {
        done.complete(names);
      } else {
        listing.next(this);
      }
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  /** Most names have no parameter, so those do not become strings. */
  private void add(DirectBuffer buffer, int offset, int length) {
    if (names.size() < NAMES_MAX && hasParameter(buffer, offset, offset + length)) {
      byte[] utf8 = new byte[length];
      buffer.getBytes(offset, utf8);
      names.add(new String(utf8, StandardCharsets.UTF_8));
    }
  }

  private static boolean hasParameter(DirectBuffer buffer, int from, int end) {
    for (int at = from; at <= end - PARAMETER.length; at++) {
      if (buffer.getByte(at) == PARAMETER[0]
          && buffer.getByte(at + 1) == PARAMETER[1]
          && buffer.getByte(at + 2) == PARAMETER[2]) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void onFailure(EntroQException failure) {
    done.completeExceptionally(failure);
  }
}
