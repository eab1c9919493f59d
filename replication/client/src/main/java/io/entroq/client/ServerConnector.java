package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.FailoverMonitor;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.SameLogTransport;
import io.entroq.client.transport.ServerFeatures;
import io.entroq.client.transport.StreamTransport;
import io.entroq.client.transport.Transport;
import io.entroq.client.transport.UnaryTransport;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Connects once for all calls that wait for it: asks a server what it is and how to talk to it.
 * Goes on until one answers, however long that takes, or until one refuses; then the next call
 * tries again. Any thread.
 */
final class ServerConnector implements AutoCloseable {
  private final ClientConfig config;
  private final String claimant;
  private final Dispatcher dispatcher;

  /** Completes when there is a server to ask. */
  private final Supplier<CompletableFuture<Void>> found;

  /** The transport for a server that has answered like this. */
  private final Function<TimeResponse, Transport> best;

  /** Null until connected; spares calls the lock. Written under it. */
  private volatile ServerConnection connection;

  /** The last question to a server; null before the first one. */
  private volatile PendingCall<TimeRequest, TimeResponse> question;

  /** Why the one before had no answer; empty if there was none. */
  private volatile String problem = "";

  // Guarded by this.

  /** Calls and feeds that wait, in order. Those that end before are removed: it may take long. */
  private final Set<CompletableFuture<ServerConnection>> waiting = new LinkedHashSet<>();

  private boolean isAsking;
  private boolean isClosed;

  private ServerConnector(
      ClientConfig config,
      String claimant,
      Dispatcher dispatcher,
      Supplier<CompletableFuture<Void>> found,
      Function<TimeResponse, Transport> best) {
    this.config = config;
    this.claimant = claimant;
    this.dispatcher = dispatcher;
    this.found = found;
    this.best = best;
  }

  /** Of one server. */
  static ServerConnector toOne(ClientConfig config, String claimant, UnaryTransport calls) {
    return new ServerConnector(
        config,
        claimant,
        dispatcher(config, calls),
        () -> CompletableFuture.completedFuture(null),
        time -> sameLog(best(config, calls, time), calls, time));
  }

  /** Of several servers: uses the first that answers, and fails over later. */
  static ServerConnector toAny(ClientConfig config, String claimant, UnaryTransport calls) {
    Dispatcher dispatcher = dispatcher(config, calls);
    FailoverMonitor monitor =
        calls.startFailoverMonitor(config.silence(), config.backoff(), dispatcher);
    return new ServerConnector(
        config,
        claimant,
        dispatcher,
        monitor::found,
        time -> {
          monitor.require(features(time).required(), time.getLogId());
          return best(config, calls, time);
        });
  }

  /** Over a given transport, for tests. */
  static ServerConnector over(ClientConfig config, String claimant, Transport transport) {
    return new ServerConnector(
        config,
        claimant,
        dispatcher(config, transport),
        () -> CompletableFuture.completedFuture(null),
        time -> transport);
  }

  private static Dispatcher dispatcher(ClientConfig config, Transport transport) {
    return new Dispatcher(transport, config.backoff(), config.callTimeout());
  }

  private static Transport best(ClientConfig config, UnaryTransport calls, TimeResponse time) {
    // A stream carries only what writes.
    return config.isStreaming() && config.asOf().isEmpty() && features(time).hasStream()
        ? new StreamTransport(calls)
        : calls;
  }

  /** Servers that do not tell the id of their log are trusted to keep it. */
  private static Transport sameLog(Transport transport, UnaryTransport calls, TimeResponse time) {
    return time.getLogId().isEmpty()
        ? transport
        : new SameLogTransport(transport, calls, time.getLogId());
  }

  private static ServerFeatures features(TimeResponse time) {
    return new ServerFeatures(time.getFeatures());
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  /** Null until connected. */
  ServerConnection connection() {
    return connection;
  }

  /**
   * Waits for the connection at most for a time. Cancel the future to wait no longer.
   *
   * @return fails with {@link EntroQException.Unavailable} if no server answers in time, or with
   *     the reason why one refuses
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained only ends the timer.
  CompletableFuture<ServerConnection> connect(long timeoutMs) {
    CompletableFuture<ServerConnection> known = connect();
    if (!known.isDone()) {
      Future<?> timer =
          dispatcher.scheduleCancellable(
              timeoutMs, () -> known.completeExceptionally(noAnswer(timeoutMs)));
      known.whenComplete((server, failure) -> timer.cancel(false));
    }
    return known;
  }

  /** How many wait. */
  synchronized int waiting() {
    return waiting.size();
  }

  /** Waits as long as it takes. Cancel the future to wait no longer. */
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained only removes it.
  CompletableFuture<ServerConnection> connect() {
    CompletableFuture<ServerConnection> known = new CompletableFuture<>();
    boolean begins;
    synchronized (this) {
      if (isClosed) {
        return CompletableFuture.failedFuture(Dispatcher.closed());
      }
      if (connection != null) {
        return CompletableFuture.completedFuture(connection);
      }
      waiting.add(known);
      begins = !isAsking;
      isAsking = true;
    }
    known.whenComplete((server, failure) -> remove(known));
    if (begins) {
      ask(1);
    }
    return known;
  }

  @SuppressWarnings("CollectionUndefinedEquality") // The same one is meant.
  private synchronized void remove(CompletableFuture<ServerConnection> known) {
    waiting.remove(known);
  }

  /**
   * @param times how often it has been tried, with this time
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained tells those that wait.
  private void ask(int times) {
    ServerClock clock = new ServerClock(config.nanoClock());
    found
        .get()
        .thenCompose(server -> time(clock))
        .whenComplete(
            (time, failure) -> {
              if (failure == null) {
                onAnswer(clock, time);
              } else if (isTemporary(failure)) {
                problem = cause(failure).getMessage();
                dispatcher.schedule(dispatcher.backoffMs(times), () -> ask(times + 1));
              } else {
                onRefused(cause(failure));
              }
            });
  }

  private CompletableFuture<TimeResponse> time(ServerClock clock) {
    FutureCompletion<TimeResponse, TimeResponse> answer = clock.startSample();
    PendingCall<TimeRequest, TimeResponse> asked =
        ServerCalls.time(dispatcher, config.connectTimeout().toMillis(), answer);
    question = asked;
    asked.start();
    return answer.future();
  }

  private static boolean isTemporary(Throwable failure) {
    return cause(failure) instanceof EntroQException known && known.isTemporary();
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof FailedException refused
        ? FailureMapping.ofRead(refused.failure())
        : cause;
  }

  private void onAnswer(ServerClock clock, TimeResponse time) {
    ServerConnection established;
    try {
      dispatcher.switchTransport(best.apply(time));
      established = new ServerConnection(config, claimant, dispatcher, clock, features(time));
    } catch (Throwable t) {
      // An Error too: callers would wait for ever. They get it.
      onRefused(t);
      return;
    }
    List<CompletableFuture<ServerConnection>> told;
    synchronized (this) {
      connection = established;
      told = List.copyOf(waiting);
    }
    told.forEach(known -> known.complete(established));
  }

  private void onRefused(Throwable reason) {
    List<CompletableFuture<ServerConnection>> told;
    synchronized (this) {
      isAsking = false;
      told = List.copyOf(waiting);
    }
    told.forEach(known -> known.completeExceptionally(reason));
  }

  private EntroQException.Unavailable noAnswer(long timeoutMs) {
    return new EntroQException.Unavailable(
        "no answer from %s: %s".formatted(config.channels().addressText(), reason(timeoutMs)));
  }

  private String reason(long timeoutMs) {
    PendingCall<TimeRequest, TimeResponse> asked = question;
    Failure failure = asked == null ? null : asked.lastUnavailable();
    if (failure != null) {
      return FailureMapping.ofRead(failure.with(dispatcher.transport().endpointText()))
          .getMessage();
    }
    if (!problem.isEmpty()) {
      return problem;
    }
    String endpoints = dispatcher.transport().endpointText();
    return endpoints.isEmpty()
        ? "nothing for %,d ms".formatted(timeoutMs)
        : "the server cannot be reached: " + endpoints;
  }

  @Override
  public void close() {
    List<CompletableFuture<ServerConnection>> told;
    synchronized (this) {
      isClosed = true;
      told = List.copyOf(waiting);
    }
    dispatcher.close();
    told.forEach(known -> known.completeExceptionally(Dispatcher.closed()));
  }
}
