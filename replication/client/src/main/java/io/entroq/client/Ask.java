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
final class Ask<Q extends Message, A extends Message> implements Receiver<A>, Link.Open {
  /** In less time than this there is no answer to be had. */
  private static final long LEFT_MS_MIN = 20;

  private final Link link;
  private final Method<Q, A> method;
  private final Supplier<Q> request;
  private final boolean isRepeatable;
  private final Ending<A> ending;
  private final long timeoutMs;
  private final long beginNs = System.nanoTime();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private volatile Exchange exchange = () -> {};
  private int failures;
  private boolean maybeDone;

  /** Why there was nobody to be asked; null if there has been somebody, each time. */
  private Failure away;

  /**
   * @param request makes it for each time that it is sent
   * @param isRepeatable whether it may be sent again though the server may have seen it
   * @param timeoutMs for how long it is tried
   * @param ending told once
   */
  Ask(
      Link link,
      Method<Q, A> method,
      Supplier<Q> request,
      boolean isRepeatable,
      long timeoutMs,
      Ending<A> ending) {
    this.link = link;
    this.method = method;
    this.request = request;
    this.isRepeatable = isRepeatable;
    this.timeoutMs = timeoutMs;
    this.ending = ending;
  }

  /** Sends it for the first time. */
  void start() {
    link.add(this);
    send();
  }

  private void send() {
    if (isOver.get()) {
      return;
    }
    try {
      exchange = link.transport().send(method, request.get(), leftMs(), this);
    } catch (RuntimeException e) {
      if (end()) {
        ending.onException(e);
      }
    }
  }

  private long leftMs() {
    long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    return Math.max(1, timeoutMs - passedMs);
  }

  @Override
  public void onAnswer(A answer) {
    link.heard();
    if (end()) {
      ending.onAnswer(answer);
    }
  }

  @Override
  public void onFailure(Failure failure) {
    boolean wasMaybeDone = maybeDone;
    maybeDone |= failure.isFateUnknown();
    if (failure.code() == Status.Code.UNAVAILABLE) {
      away = failure;
    }
    // Too much for the server now: that says nothing of what it did when it was asked before.
    boolean isRefusal =
        failure.code() == Status.Code.RESOURCE_EXHAUSTED && !failure.isFateUnknown();
    boolean isPassing = failure.isPassing() || (wasMaybeDone && isRefusal);
    if (isPassing && (isRepeatable || !maybeDone) && isAgain()) {
      return;
    }
    if (end()) {
      ending.onFailure(isOutOfTime(failure) && away != null ? away : failure, wasMaybeDone);
    }
  }

  /** Whether it says no more than that the time was up. */
  private static boolean isOutOfTime(Failure failure) {
    return failure.code() == Status.Code.DEADLINE_EXCEEDED && !failure.isSent();
  }

  private boolean isAgain() {
    long leftMs = leftMs();
    if (leftMs < LEFT_MS_MIN) {
      return false;
    }
    link.later(Math.min(link.backoffMs(++failures), leftMs / 2), this::send);
    return true;
  }

  @Override
  public void close(EntroQException.Closed reason) {
    if (end()) {
      exchange.cancel();
      ending.onException(reason);
    }
  }

  private boolean end() {
    if (!isOver.compareAndSet(false, true)) {
      return false;
    }
    link.remove(this);
    return true;
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
