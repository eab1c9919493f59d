package io.entroq.client.transport;

import com.google.protobuf.ByteString;
import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Chooses the endpoint in use. It checks the health of the current one when that has been silent
 * for a while although requests are open, because a server that hangs does not report it. When the
 * current one is unavailable, it checks all endpoints in turn and uses the first that answers, so
 * that requests only go to servers known to work. After an unanswered check it uses a new
 * connection.
 *
 * <p>Each endpoint has its own backoff. The monitor has one thread; methods without a note are for
 * any thread.
 */
public final class FailoverMonitor implements AutoCloseable {
  private static final long CHECK_INTERVAL_MS = 50;

  private final Channels channels;
  private final UnaryTransport calls;
  private final long silenceNs;
  private final Backoff backoff;
  private final OpenRequests requests;
  private final AtomicReference<CompletableFuture<Void>> first =
      new AtomicReference<>(new CompletableFuture<>());
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(FailoverMonitor::thread);

  /** The features that a server must have, as bits. */
  private volatile long features;

  /** The id of the log that a server must have; empty for any. */
  private volatile ByteString logId = ByteString.EMPTY;

  // Only used by the monitor's thread.
  private boolean isProbing;
  private boolean hasFound;

  /** The last endpoint probed; null before the first. */
  private Endpoint lastProbed;

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
        thread.scheduleWithFixedDelay(this::check, 0, CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-failover");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Completes when the first server is found. Fails with a {@link FailedException} if all have
   * refused; when this is called again, it waits for the next answers.
   */
  public CompletableFuture<Void> found() {
    return first.updateAndGet(
        last -> last.isCompletedExceptionally() ? new CompletableFuture<>() : last);
  }

  /**
   * Accepts only servers with these features and this log from now on.
   *
   * @param newLogId empty for any; a server that does not tell its own is accepted, too
   */
  public void require(long newFeatures, ByteString newLogId) {
    features = newFeatures;
    logId = newLogId;
  }

  /** Checks now, because an endpoint may be unavailable. */
  void checkNow() {
    execute(this::check);
  }

  private void execute(Runnable work) {
    try {
      thread.execute(work);
    } catch (RejectedExecutionException e) {
      // The monitor is closed.
      return;
    }
  }

  private void check() {
    if (isProbing) {
      return;
    }
    Endpoint current = channels.current();
    long nowNs = System.nanoTime();
    if (!hasFound || current.failure() != null) {
      probeNext(nowNs);
    } else if (requests.hasOpen() && current.isSilent(nowNs, silenceNs)) {
      probe(current);
    }
  }

  /** Probes the next endpoint that is due; the last one probed comes last. */
  private void probeNext(long nowNs) {
    List<Endpoint> endpoints = channels.endpoints();
    int from = lastProbed == null ? 0 : endpoints.indexOf(lastProbed) + 1;
    for (int i = 0; i < endpoints.size(); i++) {
      Endpoint endpoint = endpoints.get((from + i) % endpoints.size());
      if (endpoint.isDue(nowNs)) {
        probe(endpoint);
        return;
      }
    }
  }

  private void probe(Endpoint endpoint) {
    isProbing = true;
    lastProbed = endpoint;
    endpoint.skipConnectBackoff();
    long timeoutMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(silenceNs));
    TimeRequest request = TimeRequest.getDefaultInstance();
    Exchange unused =
        calls.send(endpoint, Method.TIME, request, timeoutMs, new ProbeReceiver(endpoint));
  }

  private void onAnswer(Endpoint endpoint, TimeResponse time) {
    if ((time.getFeatures() & features) != features) {
      onFailure(endpoint, featuresMissing(time));
      return;
    }
    if (!logId.isEmpty() && !time.getLogId().isEmpty() && !logId.equals(time.getLogId())) {
      onFailure(endpoint, otherLog(time));
      return;
    }
    isProbing = false;
    hasFound = true;
    endpoint.onCheckSucceeded();
    if (endpoint.takeReconnected() || !channels.isInUse(endpoint)) {
      channels.use(endpoint);
      requests.failOver();
    }
    first.get().complete(null);
  }

  private Failure featuresMissing(TimeResponse time) {
    return new Failure(
        Status.Code.FAILED_PRECONDITION,
        "it lacks features that this client uses, so it is an older or a different server; features %x of %x"
            .formatted(time.getFeatures() & features, features),
        List.of(),
        true);
  }

  private Failure otherLog(TimeResponse time) {
    return new Failure(
        Status.Code.FAILED_PRECONDITION,
        "it is a member of another cluster: its log is %s, not %s"
            .formatted(hex(time.getLogId()), hex(logId)),
        List.of(),
        true);
  }

  static String hex(ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  private void onFailure(Endpoint endpoint, Failure failure) {
    isProbing = false;
    endpoint.onCheckFailed(failure, backoff);
    if (!hasFound && channels.endpoints().stream().allMatch(FailoverMonitor::hasRefused)) {
      first.get().completeExceptionally(new FailedException(refusal()));
    }
    check();
  }

  private static boolean hasRefused(Endpoint endpoint) {
    Failure failure = endpoint.failure();
    return failure != null && !failure.isTransient();
  }

  private Failure refusal() {
    Status.Code code = channels.endpoints().get(0).failure().code();
    boolean isSame =
        channels.endpoints().stream().allMatch(endpoint -> endpoint.failure().code() == code);
    return failure(isSame ? code : Status.Code.UNAVAILABLE);
  }

  private Failure failure(Status.Code code) {
    return new Failure(code, channels.endpointText(), List.of(), false);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private final class ProbeReceiver implements Receiver<TimeResponse> {
    private final Endpoint endpoint;

    ProbeReceiver(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    public void onAnswer(TimeResponse time) {
      execute(() -> FailoverMonitor.this.onAnswer(endpoint, time));
    }

    @Override
    public void onFailure(Failure failure) {
      execute(() -> FailoverMonitor.this.onFailure(endpoint, failure));
    }
  }
}
