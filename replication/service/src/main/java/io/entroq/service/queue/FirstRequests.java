package io.entroq.service.queue;

import com.google.protobuf.ByteString;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The outcomes of the newest first requests of clients, those with number 1. Any thread.
 *
 * <p>An engine learns of a client by its request 1, and refuses other requests of an unknown
 * client: they may have been done before the client was forgotten. But request 1 may have been
 * refused before it reached the engine, or request 2 may overtake it. The outcomes here tell
 * whether the client was forgotten or has not started yet.
 *
 * <p>This remembers far fewer clients than an engine. So it forgets a client before any engine
 * does, unless most clients use other servers.
 */
public final class FirstRequests {
  /** An eighth of the clients of an engine, since each member of a cluster has its own. */
  private static final int CLIENTS_MAX = 8_192;

  /** How long a request waits for its client's first one. */
  private static final long WAIT_MS = 1_000;

  private final Map<ByteString, First> clients =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteString, First> eldest) {
          return size() > CLIENTS_MAX;
        }
      };

  private final Budget waiting = new Budget(Limit.EARLY_REQUESTS, Limit.EARLY_REQUESTS.standard());

  /**
   * A filter that opens clients whose first request was refused.
   *
   * @param guarded the service with all filters that may refuse a request
   * @param open the service behind those filters
   */
  public Service before(Service guarded, Service open) {
    return new ClientOpeningService(guarded, open, this);
  }

  /** A first request has started. */
  synchronized void begin(ByteString client) {
    first(client).running++;
  }

  /** A first request has ended. */
  void end(ByteString client, Outcome outcome) {
    List<CompletableFuture<Void>> followers;
    synchronized (this) {
      First first = first(client);
      first.running = Math.max(0, first.running - 1);
      first.outcome = outcome;
      followers = List.copyOf(first.followers);
    }
    // Without the lock: the waiting requests continue here.
    followers.forEach(follower -> follower.complete(null));
  }

  /** The engine knows the client. */
  synchronized void known(ByteString client) {
    First first = clients.get(client);
    if (first != null) {
      first.outcome = Outcome.TAKEN;
    }
  }

  /**
   * Whether the client may be opened with a first request that it did not send.
   *
   * @param mayRepeat whether the client may still send its own again, since it has not acknowledged
   *     the response
   */
  synchronized boolean mayOpen(ByteString client, boolean mayRepeat) {
    First first = clients.get(client);
    if (first == null || (mayRepeat && first.running > 0)) {
      return false;
    }
    return first.outcome == Outcome.REFUSED || (first.outcome == Outcome.UNSETTLED && !mayRepeat);
  }

  /** Whether a first request is running. */
  synchronized boolean isRunning(ByteString client) {
    First first = clients.get(client);
    return first != null && first.running > 0;
  }

  /**
   * Waits until a first request has ended, or for a second.
   *
   * @param origin of the request that waits
   * @return null if too many wait, or too many of that origin
   */
  synchronized CompletableFuture<Void> ended(ByteString client, Origin origin) {
    if (!waiting.tryTake(origin, 1, 0)) {
      return null;
    }
    First first = first(client);
    CompletableFuture<Void> follower = new CompletableFuture<>();
    first.followers.add(follower);
    return follower
        .completeOnTimeout(null, WAIT_MS, TimeUnit.MILLISECONDS)
        .whenComplete((nothing, failure) -> leave(first, follower, origin));
  }

  // Compared by identity, as intended.
  @SuppressWarnings("CollectionUndefinedEquality")
  private synchronized void leave(First first, CompletableFuture<Void> follower, Origin origin) {
    first.followers.remove(follower);
    waiting.give(origin, 1);
  }

  /** The requests that wait for a client's first one. */
  synchronized int followers(ByteString client) {
    First first = clients.get(client);
    return first == null ? 0 : first.followers.size();
  }

  private First first(ByteString client) {
    return clients.computeIfAbsent(client, unknown -> new First());
  }

  /** What is known about one client. */
  private static final class First {
    /** Bounded, since requests stop waiting after a second. */
    private final Set<CompletableFuture<Void>> followers = new HashSet<>();

    private int running;
    private Outcome outcome = Outcome.TAKEN;
  }

  /** The outcome of a first request. */
  enum Outcome {
    /** It reached the engine, or nothing is known about it. */
    TAKEN,
    /** It was refused for good, perhaps before it reached the engine. */
    REFUSED,
    /**
     * It was canceled, or refused for lack of room or time, perhaps before it reached the engine.
     * Clients send such a request again.
     */
    UNSETTLED
  }
}
