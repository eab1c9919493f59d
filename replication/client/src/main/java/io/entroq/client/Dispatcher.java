package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.api.worker.Backoff;
import io.entroq.client.transport.OpenRequests;
import io.entroq.client.transport.Transport;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Sends and resends requests, and keeps the set of open ones. Any thread. */
final class Dispatcher implements OpenRequests, AutoCloseable {
  private volatile Transport transport;
  private final Backoff backoff;
  private final long callTimeoutMs;
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, Dispatcher::thread);
  private final Set<OpenRequest> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  /** When a server has last answered, as opposed to an intermediary. */
  private volatile long lastResponseNs = System.nanoTime();

  Dispatcher(Transport transport, Backoff backoff, Duration callTimeout) {
    this.transport = transport;
    this.backoff = backoff;
    this.callTimeoutMs = callTimeout.toMillis();
    timer.setRemoveOnCancelPolicy(true);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-client");
    thread.setDaemon(true);
    return thread;
  }

  Transport transport() {
    return transport;
  }

  /** Replaces the transport by one that closes the previous one. */
  void switchTransport(Transport newTransport) {
    transport = newTransport;
    // A concurrent close either finds the new one, or is seen here.
    if (isClosed) {
      newTransport.close();
    }
  }

  /** How long a request is retried. */
  long callTimeoutMs() {
    return callTimeoutMs;
  }

  /** The pause after a number of consecutive failures. */
  long backoffMs(int failures) {
    return backoff.after(failures).toMillis();
  }

  /** Runs a short task after a delay, unless the client is closed before. */
  void schedule(long delayMs, Runnable work) {
    Future<?> unused = scheduleCancellable(delayMs, work);
  }

  /**
   * The same, for long delays.
   *
   * @return nothing is kept of the task once this is cancelled
   */
  Future<?> scheduleCancellable(long delayMs, Runnable work) {
    try {
      return timer.schedule(work, delayMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The client is closed, and has failed the request.
      return CompletableFuture.completedFuture(null);
    }
  }

  /** How many tasks are scheduled. For tests. */
  int scheduled() {
    return timer.getQueue().size();
  }

  void noteResponse() {
    lastResponseNs = System.nanoTime();
  }

  /** Time of the last answer, or of the start, by {@link System#nanoTime}. */
  long lastResponseNs() {
    return lastResponseNs;
  }

  void add(OpenRequest request) {
    open.add(request);
    // A concurrent close either finds the request in the set, or is seen here.
    if (isClosed) {
      request.close(closed());
    }
  }

  void remove(OpenRequest request) {
    open.remove(request);
  }

  @Override
  public boolean hasOpen() {
    return !open.isEmpty();
  }

  @Override
  public void failOver() {
    open.forEach(OpenRequest::failOver);
  }

  boolean isClosed() {
    return isClosed;
  }

  static EntroQException.Closed closed() {
    return new EntroQException.Closed("the client is closed");
  }

  /** Fails all requests with {@link EntroQException.Closed} and closes the connections. */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    open.forEach(request -> request.close(closed()));
    timer.shutdownNow();
    transport.close();
  }

  /** A request that is not answered yet. */
  interface OpenRequest {
    /** Called when another server is in use: resends the request if that is safe. */
    void failOver();

    /** Fails the request. Does nothing if it has ended. */
    void close(EntroQException.Closed reason);
  }
}
