package io.entroq.client.transport;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Sends requests to the only server that a client knows, as long as it has the log that it had at
 * first. After the connection was lost, requests wait until the server has told the id of its log:
 * one that lost its data, or has those of another server, has another queue. While it has, requests
 * fail as if there were no server. Any thread.
 */
public final class SameLogTransport implements Transport {
  private static final long CHECK_MS_MAX = 5_000;

  private final Transport next;
  private final UnaryTransport calls;
  private final ByteString logId;

  /** Whether the server on this connection has the log. */
  private volatile boolean isSame;

  // Guarded by this.
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private boolean isChecking;

  /** Counts lost connections, so that a check says nothing about a later connection. */
  private int connection;

  /**
   * @param next sends requests to the server; closed with this
   * @param calls asks the same server for the id of its log
   * @param logId what it told at first; not empty
   */
  public SameLogTransport(Transport next, UnaryTransport calls, ByteString logId) {
    this.next = next;
    this.calls = calls;
    this.logId = logId;
    boolean isConnected = calls.channels().current().watchConnection(this::onDisconnected);
    synchronized (this) {
      isSame = isConnected && connection == 0;
    }
  }

  private synchronized void onDisconnected() {
    isSame = false;
    connection++;
  }

  @Override
  public <Q extends Message, A extends Message> Exchange send(
      Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
    return isSame
        ? next.send(method, request, timeoutMs, receiver)
        : await(new WaitingRequest<>(method, request, timeoutMs, receiver), timeoutMs);
  }

  @Override
  public Listing<TasksResponse> list(TasksRequest request) {
    return isSame ? next.list(request) : await(new WaitingListing(request), CHECK_MS_MAX);
  }

  /** At once: a position names its log, and without one any log will do. */
  @Override
  public Tail tail(TailRequest request, int skipped, TailReceiver receiver) {
    return next.tail(request, skipped, receiver);
  }

  @Override
  public int servers() {
    return next.servers();
  }

  /** Sends it once the server has told its log, behind all that waits already. */
  private <W extends Waiting> W await(W request, long timeoutMs) {
    int asked;
    boolean isAsked;
    synchronized (this) {
      waiting.add(request);
      isAsked = isChecking;
      isChecking = true;
      asked = connection;
    }
    if (!isAsked) {
      check(asked, Math.min(timeoutMs, CHECK_MS_MAX));
    } else if (timeoutMs < CHECK_MS_MAX) {
      // The check of another request may take longer.
      CompletableFuture.delayedExecutor(timeoutMs, TimeUnit.MILLISECONDS)
          .execute(() -> expire(request));
    }
    return request;
  }

  private void expire(Waiting request) {
    boolean isWaiting;
    synchronized (this) {
      isWaiting = waiting.remove(request);
    }
    if (isWaiting) {
      request.fail(
          unsent(Status.Code.DEADLINE_EXCEEDED, "the connection was lost and is not back yet"));
    }
  }

  private void check(int asked, long timeoutMs) {
    Exchange unused =
        calls.send(
            Method.TIME,
            TimeRequest.getDefaultInstance(),
            timeoutMs,
            new Receiver<>() {
              @Override
              public void onAnswer(TimeResponse time) {
                checked(asked, time.getLogId());
              }

              @Override
              public void onFailure(Failure failure) {
                refuse(unsent(failure.code(), failure.message()));
              }
            });
  }

  private static Failure unsent(Status.Code code, String message) {
    return new Failure(code, message, List.of(), false);
  }

  private void checked(int asked, ByteString told) {
    if (!told.isEmpty() && !told.equals(logId)) {
      refuse(
          unsent(
              Status.Code.UNAVAILABLE,
              "it has another queue than before: its log is %s, not %s; connect anew to use that"
                      .formatted(FailoverMonitor.hex(told), FailoverMonitor.hex(logId))
                  + " queue"));
      return;
    }
    for (Waiting first = nextOf(asked); first != null; first = nextOf(asked)) {
      first.send();
    }
  }

  /** The next request to send; null if there is none, so that later ones need not wait. */
  private synchronized Waiting nextOf(int asked) {
    Waiting first = waiting.poll();
    if (first == null) {
      isChecking = false;
      isSame = asked == connection;
    }
    return first;
  }

  private void refuse(Failure failure) {
    List<Waiting> refused;
    synchronized (this) {
      refused = List.copyOf(waiting);
      waiting.clear();
      isChecking = false;
    }
    refused.forEach(request -> request.fail(failure));
  }

  @Override
  public String endpointText() {
    return next.endpointText();
  }

  @Override
  public void close() {
    next.close();
    refuse(unsent(Status.Code.CANCELLED, "the client is closed"));
  }

  /** What is sent after the check. */
  private interface Waiting {
    void send();

    void fail(Failure failure);
  }

  private final class WaitingRequest<Q extends Message, A extends Message>
      implements Waiting, Exchange {
    private final Method<Q, A> method;
    private final Q request;
    private final long deadlineNs;
    private final Receiver<A> receiver;

    // Guarded by this.
    private boolean isCanceled;

    /** Null while it waits. */
    private Exchange sent;

    WaitingRequest(Method<Q, A> method, Q request, long timeoutMs, Receiver<A> receiver) {
      this.method = method;
      this.request = request;
      this.receiver = receiver;
      deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    @Override
    public void send() {
      synchronized (this) {
        if (isCanceled) {
          return;
        }
      }
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      Exchange exchange = next.send(method, request, Math.max(1, leftMs), receiver);
      boolean isLate;
      synchronized (this) {
        sent = exchange;
        isLate = isCanceled;
      }
      if (isLate) {
        exchange.cancel();
      }
    }

    @Override
    public void fail(Failure failure) {
      synchronized (this) {
        if (isCanceled) {
          return;
        }
      }
      receiver.onFailure(failure);
    }

    @Override
    public void cancel() {
      Exchange exchange;
      boolean wasWaiting;
      synchronized (SameLogTransport.this) {
        wasWaiting = waiting.remove(this);
      }
      synchronized (this) {
        isCanceled = true;
        exchange = sent;
      }
      if (wasWaiting) {
        receiver.onFailure(unsent(Status.Code.CANCELLED, "the caller canceled the request"));
      } else if (exchange != null) {
        exchange.cancel();
      }
    }
  }

  private final class WaitingListing implements Waiting, Listing<TasksResponse> {
    private final TasksRequest request;
    private final CompletableFuture<Listing<TasksResponse>> started = new CompletableFuture<>();

    WaitingListing(TasksRequest request) {
      this.request = request;
    }

    @Override
    public void send() {
      if (started.isDone()) {
        return;
      }
      Listing<TasksResponse> listing = next.list(request);
      if (!started.complete(listing)) {
        listing.close();
      }
    }

    @Override
    public void fail(Failure failure) {
      started.completeExceptionally(new FailedException(failure));
    }

    @Override
    public Optional<TasksResponse> next(long timeoutMs) {
      long beganNs = System.nanoTime();
      Listing<TasksResponse> listing = await(timeoutMs);
      long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
      return listing.next(Math.max(1, timeoutMs - tookMs));
    }

    private Listing<TasksResponse> await(long timeoutMs) {
      boolean isInterrupted = false;
      long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
      try {
        while (true) {
          try {
            return started.get(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
          } catch (InterruptedException e) {
            isInterrupted = true;
          }
        }
      } catch (ExecutionException e) {
        throw (FailedException) e.getCause();
      } catch (TimeoutException e) {
        throw new FailedException(
            unsent(Status.Code.DEADLINE_EXCEEDED, "no message for " + timeoutMs + " ms"));
      } finally {
        if (isInterrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void cancel() {
      fail(unsent(Status.Code.CANCELLED, "the caller canceled the listing"));
      end(Listing::cancel);
    }

    @Override
    public void close() {
      fail(unsent(Status.Code.CANCELLED, "the caller closed the listing"));
      end(Listing::close);
    }

    private void end(Consumer<Listing<TasksResponse>> way) {
      if (!started.isCompletedExceptionally()) {
        way.accept(started.join());
      }
    }
  }
}
