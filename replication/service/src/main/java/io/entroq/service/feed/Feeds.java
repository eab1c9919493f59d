package io.entroq.service.feed;

import io.entroq.api.EntroQException;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Principal;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.EffectMessages;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The feeds of a server, over all transports: their number, their threads, and their end. Any
 * thread. {@link #end} them before the server drains, and close this after the last call.
 */
public final class Feeds implements AutoCloseable {
  static final Refusal STOPPING =
      new Refusal(
          Status.Code.UNAVAILABLE,
          "tail: the server is shutting down; resume after the last position, at any member");

  private static final Refusal EXPIRED =
      new Refusal(
          Status.Code.UNAUTHENTICATED,
          "tail: the token has expired; resume after the last position with another");

  private static final int THREADS_MAX = 4;
  private static final int THREAD_IDLE_S = 10;

  private final EffectFeed feed;
  private final Supplier<UUID> logId;
  private final Budget places = new Budget(Limit.FEEDS, Limit.FEEDS.standard());
  private final Map<TailCall, Origin> open = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor threads;
  private volatile boolean isEnding;

  /**
   * @param logId of the log of the feed; null before its first record
   */
  public Feeds(EffectFeed feed, Supplier<UUID> logId) {
    this.feed = feed;
    this.logId = logId;
    AtomicInteger number = new AtomicInteger();
    threads =
        new ScheduledThreadPoolExecutor(
            Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors()),
            task -> {
              Thread thread = new Thread(task, "entroq-tail-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            },
            // What runs after close() has no caller any more.
            new ThreadPoolExecutor.DiscardPolicy());
    threads.setRemoveOnCancelPolicy(true);
    threads.setKeepAliveTime(THREAD_IDLE_S, TimeUnit.SECONDS);
    threads.allowCoreThreadTimeOut(true);
  }

  /** Adds feeds to a service. */
  public Service before(Service service) {
    return new FeedService(service, this);
  }

  /** How many are open. */
  public int count() {
    return open.size();
  }

  /** Ends all feeds, and later ones, so that their callers go on elsewhere. */
  public void end() {
    isEnding = true;
    open.keySet().forEach(call -> call.end(STOPPING));
  }

  /**
   * Opens a feed.
   *
   * @throws RefusedException if the request is malformed, or too many are open
   * @throws EntroQException if the engine refuses it
   */
  Call tail(CallContext context, TailRequest request, Reply<TailResponse> reply) {
    FeedRequest asked = TailRequests.read(request);
    Origin origin = context.origin();
    Budget.Outcome outcome = places.take(origin, 1, 0);
    if (outcome != Budget.Outcome.TAKEN) {
      throw new RefusedException(
          Limit.FEEDS.refusal(
              "%s: %,d of at most %,d are open. Try again later"
                  .formatted(subject(outcome), places.taken(), places.max())));
    }
    FeedReader reader;
    try {
      reader = feed.open(asked);
    } catch (RuntimeException e) {
      places.give(origin, 1);
      throw e;
    }
    TailResponses responses =
        new TailResponses(
            new EffectMessages(request.getRawValues()),
            asked.start() instanceof FeedRequest.Start.Snapshot,
            logId,
            this::range);
    TailCall call = new TailCall(this, reader, responses, reply);
    open.put(call, origin);
    context.principal().ifPresent(caller -> expire(caller, call));
    // end() has seen this feed, or is seen here.
    if (isEnding) {
      call.end(STOPPING);
    }
    call.wake();
    return call;
  }

  private static String subject(Budget.Outcome outcome) {
    return switch (outcome) {
      case CONNECTION_FULL -> "this connection has its share of the feeds";
      case ADDRESS_FULL -> "this address has its share of the feeds";
      default -> "too many feeds";
    };
  }

  private void expire(Principal caller, TailCall call) {
    long leftMs = TimeUnit.SECONDS.toMillis(caller.expiresAtS()) - System.currentTimeMillis();
    call.expiry(threads.schedule(() -> call.end(EXPIRED), leftMs, TimeUnit.MILLISECONDS));
  }

  /** Gives the place of a feed back, once. */
  void remove(TailCall call) {
    Origin origin = open.remove(call);
    if (origin != null) {
      places.give(origin, 1);
    }
  }

  void execute(Runnable run) {
    threads.execute(run);
  }

  /** What can be read at present. */
  FeedRange range() {
    io.entroq.engine.gateway.FeedRange kept = feed.kept();
    return FeedRange.newBuilder()
        .setFirstSequence(kept.firstSequence())
        .setLastSequence(kept.lastSequence())
        .setFirstTimeMs(kept.firstTimeMs())
        .build();
  }

  /** The error for the end of a reader. */
  Refusal refusal(FeedEnd end) {
    return switch (end.reason()) {
      case OUT_OF_RANGE, FUTURE -> outOfRange(end.text(), range());
      case OTHER_LOG -> new Refusal(Status.Code.FAILED_PRECONDITION, end.text());
      case EXHAUSTED, SLOW -> Refusal.exhausted(end.text());
      case AWAY -> new Refusal(Status.Code.UNAVAILABLE, end.text(), List.of(range()));
      case CLOSED -> new Refusal(Status.Code.UNAVAILABLE, end.text());
      case FAULT -> new Refusal(Status.Code.INTERNAL, end.text());
      case COMPLETE -> throw new IllegalStateException("not an error");
    };
  }

  private static Refusal outOfRange(String text, FeedRange kept) {
    return new Refusal(
        Status.Code.OUT_OF_RANGE,
        "%s (first %d, last %d)".formatted(text, kept.getFirstSequence(), kept.getLastSequence()),
        List.of(kept));
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
