package io.entroq.client.transport;

import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Chooses which of several servers is asked. The one in use is asked for the time when it has been
 * silent for a while though something is open, which a server that cannot do anything does not
 * tell; and once it is known to be away the others are, one after the other, until one answers. So
 * nothing goes to a server of which nothing is known. One that does not answer is asked over
 * another connection the next time.
 *
 * <p>Each address has a pause of its own, which grows while it does not answer. One thread of its
 * own; methods of others may be called on any.
 */
public final class FailoverMonitor implements AutoCloseable {
  private static final long LOOK_MS = 50;

  private final Channels channels;
  private final UnaryTransport calls;
  private final long silenceNs;
  private final Backoff backoff;
  private final OpenRequests requests;
  private final CompletableFuture<Void> first = new CompletableFuture<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(FailoverMonitor::thread);

  /** What a server has to be able to do, in bits. */
  private volatile long features;

  // Of the thread.
  private boolean isAsking;
  private boolean hasFound;

  /** Which was asked last; null: none yet. */
  private Endpoint asked;

  FailoverMonitor(
      Channels channels,
      UnaryTransport calls,
      Duration silence,
      Backoff backoff,
      OpenRequests requests) {
    this.channels = channels;
    this.calls = calls;
    this.silenceNs = silence.toNanos();
    this.backoff = backoff;
    this.requests = requests;
    Future<?> unused =
        thread.scheduleWithFixedDelay(this::check, 0, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-lookout");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Waits until a server is found for the first time; ignores interrupts.
   *
   * @throws FailedException if none is in time, or each has refused
   */
  public void awaitFirst(Duration timeout) {
    CompletableFuture<Void> found =
        first.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    try {
      found.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof FailedException refused) {
        throw refused;
      }
      throw new FailedException(failure(Status.Code.UNAVAILABLE));
    }
  }

  /** Takes no server any more that cannot do as much. */
  public void require(long newFeatures) {
    features = newFeatures;
  }

  /** Something speaks against a server. */
  void checkNow() {
    execute(this::check);
  }

  private void execute(Runnable work) {
    try {
      thread.execute(work);
    } catch (RejectedExecutionException e) {
      // It is closed, and nobody is to be found any more.
      return;
    }
  }

  private void check() {
    if (isAsking) {
      return;
    }
    Endpoint current = channels.current();
    long nowNs = System.nanoTime();
    if (!hasFound || current.trouble() != null) {
      askNext(nowNs);
    } else if (requests.hasOpen() && current.isSilent(nowNs, silenceNs)) {
      ask(current);
    }
  }

  /** The one that was asked last comes last: the others are more likely to be there. */
  private void askNext(long nowNs) {
    List<Endpoint> endpoints = channels.endpoints();
    int from = asked == null ? 0 : endpoints.indexOf(asked) + 1;
    for (int i = 0; i < endpoints.size(); i++) {
      Endpoint endpoint = endpoints.get((from + i) % endpoints.size());
      if (endpoint.isDue(nowNs)) {
        ask(endpoint);
        return;
      }
    }
  }

  private void ask(Endpoint endpoint) {
    isAsking = true;
    asked = endpoint;
    endpoint.connectSoon();
    long timeoutMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(silenceNs));
    TimeRequest request = TimeRequest.getDefaultInstance();
    try {
      Exchange unused = calls.send(endpoint, Method.TIME, request, timeoutMs, new Answer(endpoint));
    } catch (RuntimeException e) {
      // Whoever makes tokens has none.
      failed(endpoint, new Failure(Status.Code.UNAUTHENTICATED, e.toString(), List.of(), false));
    }
  }

  private void answered(Endpoint endpoint, TimeResponse time) {
    if ((time.getFeatures() & features) != features) {
      failed(endpoint, notTheSame(time));
      return;
    }
    isAsking = false;
    hasFound = true;
    endpoint.isReachable();
    if (endpoint.takeReconnected() || !channels.isInUse(endpoint)) {
      channels.use(endpoint);
      requests.failOver();
    }
    first.complete(null);
  }

  private Failure notTheSame(TimeResponse time) {
    return new Failure(
        Status.Code.FAILED_PRECONDITION,
        "it cannot do what is needed here: it is another kind of server, or an older one; features %x of %x"
            .formatted(time.getFeatures() & features, features),
        List.of(),
        true);
  }

  private void failed(Endpoint endpoint, Failure why) {
    isAsking = false;
    endpoint.failed(why, backoff);
    if (!hasFound && channels.endpoints().stream().allMatch(FailoverMonitor::hasRefused)) {
      first.completeExceptionally(new FailedException(refusal()));
    }
    check();
  }

  private static boolean hasRefused(Endpoint endpoint) {
    Failure trouble = endpoint.trouble();
    return trouble != null && !trouble.isTransient();
  }

  private Failure refusal() {
    Status.Code code = channels.endpoints().get(0).trouble().code();
    boolean isOfAll =
        channels.endpoints().stream().allMatch(endpoint -> endpoint.trouble().code() == code);
    return failure(isOfAll ? code : Status.Code.UNAVAILABLE);
  }

  private Failure failure(Status.Code code) {
    return new Failure(code, channels.where(), List.of(), false);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** What a server says when it is asked for the time. */
  private final class Answer implements Receiver<TimeResponse> {
    private final Endpoint endpoint;

    Answer(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    public void onAnswer(TimeResponse time) {
      execute(() -> answered(endpoint, time));
    }

    @Override
    public void onFailure(Failure failure) {
      execute(() -> failed(endpoint, failure));
    }
  }
}
