package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.api.worker.Backoff;
import io.entroq.client.transport.OpenRequests;
import io.entroq.client.transport.Transport;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What requests need to be sent, and to be sent again; and all that are under way. Any thread. */
final class Dispatcher implements OpenRequests, AutoCloseable {
  private volatile Transport transport;
  private final Backoff backoff;
  private final long callTimeoutMs;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Dispatcher::thread);
  private final Set<Open> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  /** When a server has said something that only a server says. */
  private volatile long lastResponseNs = System.nanoTime();

  Dispatcher(Transport transport, Backoff backoff, Duration callTimeout) {
    this.transport = transport;
    this.backoff = backoff;
    this.callTimeoutMs = callTimeout.toMillis();
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-client");
    thread.setDaemon(true);
    return thread;
  }

  Transport transport() {
    return transport;
  }

  /** Sends by another transport from now on, which closes the one before. */
  void switchTransport(Transport another) {
    transport = another;
  }

  /** How long a request is tried for. */
  long callTimeoutMs() {
    return callTimeoutMs;
  }

  /** How long to wait after so many failures in a row. */
  long backoffMs(int failures) {
    return backoff.after(failures).toMillis();
  }

  /** Runs something small a while later, unless this is closed by then. */
  void later(long delayMs, Runnable work) {
    try {
      Future<?> unused = timer.schedule(work, delayMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // What was to be done again has been told that this is closed.
      return;
    }
  }

  /** A server has answered. */
  void noteResponse() {
    lastResponseNs = System.nanoTime();
  }

  /** When a server has answered last, or this was made, by {@link System#nanoTime}. */
  long lastResponseNs() {
    return lastResponseNs;
  }

  /** A request is under way. */
  void add(Open request) {
    open.add(request);
    // Whoever closes this has seen it, or is seen here.
    if (isClosed) {
      request.close(closed());
    }
  }

  /** A request is over. */
  void remove(Open request) {
    open.remove(request);
  }

  @Override
  public boolean hasOpen() {
    return !open.isEmpty();
  }

  @Override
  public void failOver() {
    open.forEach(Open::failOver);
  }

  boolean isClosed() {
    return isClosed;
  }

  static EntroQException.Closed closed() {
    return new EntroQException.Closed("the client is closed");
  }

  /** Ends everything with {@link EntroQException.Closed}, and cuts the connections. */
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

  /** Something under way. */
  interface Open {
    /** Another server is asked from now on: asks it too, if that can do no harm. */
    void failOver();

    /** Ends it with an exception. Does nothing if it is over. */
    void close(EntroQException.Closed reason);
  }
}
