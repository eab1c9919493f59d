package io.entroq.client;

import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.client.transport.Exchange;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.Receiver;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One request, sent until there is an answer or the time is up. Any thread.
 *
 * @param <Q> the request
 * @param <A> the answer
 */
final class Ask<Q extends Message, A extends Message> implements Link.Open {
  /** In less time than this there is no answer to be had. */
  private static final long LEFT_MS_MIN = 20;

  private final Link link;
  private final Method<Q, A> method;
  private final Supplier<Q> request;
  private final Repeat repeat;
  private final Ending<A> ending;
  private final long timeoutMs;
  private final long beginNs = System.nanoTime();
  private final AtomicBoolean isOver = new AtomicBoolean();

  /** What was sent last and has not failed; null: it waits to be sent again. */
  private Attempt newest;

  private int failures;
  private boolean maybeDone;

  /** Why there was nobody to be asked; null if there has been somebody, each time. */
  private Failure away;

  /**
   * @param request makes it for each time that it is sent
   * @param repeat when that may be more than once
   * @param timeoutMs for how long it is tried
   * @param ending told once
   */
  Ask(
      Link link,
      Method<Q, A> method,
      Supplier<Q> request,
      Repeat repeat,
      long timeoutMs,
      Ending<A> ending) {
    this.link = link;
    this.method = method;
    this.request = request;
    this.repeat = repeat;
    this.timeoutMs = timeoutMs;
    this.ending = ending;
  }

  /** Sends it for the first time. */
  void start() {
    link.add(this);
    send();
  }

  private void send() {
    Attempt attempt = new Attempt();
    synchronized (this) {
      if (isOver.get()) {
        return;
      }
      newest = attempt;
    }
    try {
      attempt.exchange = link.transport().send(method, request.get(), leftMs(), attempt);
    } catch (RuntimeException e) {
      if (end()) {
        ending.onException(e);
      }
    }
  }

  /** The one asked before may answer yet; whoever is first counts. */
  @Override
  public void move() {
    synchronized (this) {
      if (repeat != Repeat.ANY_TIME || newest == null) {
        return;
      }
      maybeDone = true;
    }
    send();
  }

  private long leftMs() {
    long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    return Math.max(1, timeoutMs - passedMs);
  }

  private void answered(A answer) {
    link.heard();
    if (end()) {
      ending.onAnswer(answer);
    }
  }

  private void failed(Attempt attempt, Failure failure) {
    boolean wasMaybeDone;
    boolean isAgain;
    Failure told = failure;
    synchronized (this) {
      wasMaybeDone = maybeDone;
      maybeDone |= failure.isFateUnknown();
      if (attempt != newest) {
        // Somebody else has been asked since.
        return;
      }
      newest = null;
      if (failure.code() == Status.Code.UNAVAILABLE) {
        away = failure;
      } else if (isOutOfTime(failure) && away != null) {
        told = away;
      }
      isAgain = isPassing(failure, wasMaybeDone) && mayRepeat() && leftMs() >= LEFT_MS_MIN;
      failures += isAgain ? 1 : 0;
    }
    if (isAgain) {
      link.later(Math.min(link.backoffMs(failures), leftMs() / 2), this::send);
    } else if (end()) {
      ending.onFailure(told.isPassing() ? told.with(link.transport().where()) : told, wasMaybeDone);
    }
  }

  private boolean isPassing(Failure failure, boolean wasMaybeDone) {
    // Too much for the server now: that says nothing of what it did when it was asked before.
    boolean isRefusal =
        failure.code() == Status.Code.RESOURCE_EXHAUSTED && !failure.isFateUnknown();
    return failure.isPassing()
        || (wasMaybeDone && isRefusal)
        || (repeat == Repeat.ANY_TIME && failure.isUndecided() && !Refusals.isForgotten(failure));
  }

  private boolean mayRepeat() {
    return repeat != Repeat.UNSEEN || !maybeDone;
  }

  /** Whether it says no more than that the time was up. */
  private static boolean isOutOfTime(Failure failure) {
    return failure.code() == Status.Code.DEADLINE_EXCEEDED && !failure.isSent();
  }

  @Override
  public void close(EntroQException.Closed reason) {
    if (end()) {
      cancelNewest();
      ending.onException(reason);
    }
  }

  private void cancelNewest() {
    Attempt attempt;
    synchronized (this) {
      attempt = newest;
    }
    if (attempt != null) {
      attempt.exchange.cancel();
    }
  }

  private boolean end() {
    if (!isOver.compareAndSet(false, true)) {
      return false;
    }
    link.remove(this);
    return true;
  }

  /** One of the times that it is sent. */
  private final class Attempt implements Receiver<A> {
    private volatile Exchange exchange = () -> {};

    @Override
    public void onAnswer(A answer) {
      answered(answer);
    }

    @Override
    public void onFailure(Failure failure) {
      failed(this, failure);
    }
  }

  /**
   * What becomes of a request.
   *
   * @param <A> the answer
   */
  interface Ending<A> {
    /** There is an answer. */
    void onAnswer(A answer);

    /**
     * There is none.
     *
     * @param maybeDone whether the server may have done it at one of the times before the last
     */
    void onFailure(Failure failure, boolean maybeDone);

    /** It could not be sent, or the client was closed. */
    void onException(RuntimeException exception);
  }
}
