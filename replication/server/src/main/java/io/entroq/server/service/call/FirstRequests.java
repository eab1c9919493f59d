package io.entroq.server.service.call;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What became of the first requests of clients, those with number 1, that came here, the newest of
 * them. Any thread.
 *
 * <p>An engine knows a client by its request 1, and executes no other one of a client that it does
 * not know: it may have been executed before the client was forgotten. But request 1 may have been
 * refused before it came to the engine, or be overtaken by request 2. Then whatever stands here
 * tells that the client has not been forgotten but has not begun yet.
 *
 * <p>What is kept is bounded by a count of clients that is far below that of an engine. So a client
 * has been pushed out here before any engine could forget it, unless most others go elsewhere.
 */
public final class FirstRequests {
  /** An eighth of the clients that an engine knows, as each member of a cluster has its own. */
  private static final int CLIENTS_MAX = 8_192;

  /** For how long a request waits for the first one of its client. */
  private static final long WAIT_MS = 1_000;

  static final int WAITING_MAX = 4_096;

  private final Map<ByteString, First> clients =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteString, First> eldest) {
          return size() > CLIENTS_MAX;
        }
      };

  private int waiting;

  /** None has come yet. */
  public FirstRequests() {}

  /**
   * Looks at the requests to a service, and opens clients there whose first one was refused.
   *
   * @param guarded what callers ask, with all that may refuse them
   * @param open the same behind that
   */
  public Service before(Service guarded, Service open) {
    return new OpeningService(guarded, open, this);
  }

  /** A first request has come. */
  synchronized void begin(ByteString client) {
    first(client).underWay++;
  }

  /**
   * A first request is answered, or given up.
   *
   * @param isRefused whether it may not have come to the engine
   */
  void end(ByteString client, boolean isRefused) {
    CompletableFuture<Void> ended;
    synchronized (this) {
      First first = first(client);
      first.underWay = Math.max(0, first.underWay - 1);
      first.isRefused = isRefused;
      ended = first.ended;
      first.ended = new CompletableFuture<>();
    }
    // Outside, as whatever waits goes on from here.
    ended.complete(null);
  }

  /** An engine knows the client. */
  synchronized void known(ByteString client) {
    First first = clients.get(client);
    if (first != null) {
      first.isRefused = false;
    }
  }

  /** Whether the first request came and may not have come to the engine. */
  synchronized boolean isRefused(ByteString client) {
    First first = clients.get(client);
    return first != null && first.isRefused;
  }

  /** Whether the first request has come and is not answered. */
  synchronized boolean isUnderWay(ByteString client) {
    First first = clients.get(client);
    return first != null && first.underWay > 0;
  }

  /**
   * Waits until a first request is answered, for a while at most.
   *
   * @param origin where the request comes from that waits
   * @return is completed then; null: too many wait, or as many of that origin as its share
   */
  synchronized CompletableFuture<Void> ended(ByteString client, Origin origin) {
    if (!origin.mayTakeOne(Resource.FOLLOWERS, WAITING_MAX - waiting - 1L)) {
      return null;
    }
    waiting++;
    origin.add(Resource.FOLLOWERS, 1);
    return first(client)
        .ended
        .copy()
        .completeOnTimeout(null, WAIT_MS, TimeUnit.MILLISECONDS)
        .whenComplete((nothing, failure) -> leave(origin));
  }

  private synchronized void leave(Origin origin) {
    origin.add(Resource.FOLLOWERS, -1);
    waiting--;
  }

  private First first(ByteString client) {
    return clients.computeIfAbsent(client, unknown -> new First());
  }

  /** Of one client. */
  private static final class First {
    private CompletableFuture<Void> ended = new CompletableFuture<>();
    private int underWay;
    private boolean isRefused;
  }
}
