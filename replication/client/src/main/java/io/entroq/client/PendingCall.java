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
final class PendingCall<Q extends Message, A extends Message> implements Dispatcher.Open {
  /** In less time than this there is no answer to be had. */
  private static final long REMAINING_MS_MIN = 20;

  private final Dispatcher dispatcher;
  private final Method<Q, A> method;
  private final Supplier<Q> request;
  private final RetryPolicy repeat;
  private final Completion<A> completion;
  private final long timeoutMs;
  private final long beginNs = System.nanoTime();
  private final AtomicBoolean isOver = new AtomicBoolean();

  /** What was sent last and has not failed; null: it waits to be sent again. */
  private Attempt newest;

  private int failures;
  private boolean maybeDone;

  /** Why there was nobody to be asked; null if there has been somebody, each time. */
  private Failure lastUnavailable;

  /**
   * @param request makes it for each time that it is sent
   * @param repeat when that may be more than once
   * @param timeoutMs for how long it is tried
   * @param completion told once
   */
  PendingCall(
      Dispatcher dispatcher,
      Method<Q, A> method,
      Supplier<Q> request,
      RetryPolicy repeat,
      long timeoutMs,
      Completion<A> completion) {
    this.dispatcher = dispatcher;
    this.method = method;
    this.request = request;
    this.repeat = repeat;
    this.timeoutMs = timeoutMs;
    this.completion = completion;
  }

  /** Sends it for the first time. */
  void start() {
    dispatcher.add(this);
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
      attempt.exchange = dispatcher.transport().send(method, request.get(), remainingMs(), attempt);
    } catch (RuntimeException e) {
      if (end()) {
        completion.onException(e);
      }
    }
  }

  /** The one asked before may answer yet; whoever is first counts. */
  @Override
  public void failOver() {
    synchronized (this) {
      if (repeat != RetryPolicy.ANY_TIME || newest == null) {
        return;
      }
      maybeDone = true;
    }
    send();
  }

  private long remainingMs() {
    long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    return Math.max(1, timeoutMs - passedMs);
  }

  private void answered(A answer) {
    dispatcher.noteResponse();
    if (end()) {
      completion.onAnswer(answer);
    }
  }

  private void failed(Attempt attempt, Failure failure) {
    boolean wasMaybeDone;
    boolean willRetry;
    Failure reported = failure;
    synchronized (this) {
      wasMaybeDone = maybeDone;
      maybeDone |= failure.isOutcomeUnknown();
      if (attempt != newest) {
        // Somebody else has been asked since.
        return;
      }
      newest = null;
      if (failure.code() == Status.Code.UNAVAILABLE) {
        lastUnavailable = failure;
      } else if (isOutOfTime(failure) && lastUnavailable != null) {
        reported = lastUnavailable;
      }
      willRetry =
          isTransient(failure, wasMaybeDone) && mayRepeat() && remainingMs() >= REMAINING_MS_MIN;
      failures += willRetry ? 1 : 0;
    }
    if (willRetry) {
      dispatcher.later(Math.min(dispatcher.backoffMs(failures), remainingMs() / 2), this::send);
    } else if (end()) {
      completion.onFailure(
          reported.isTransient() ? reported.with(dispatcher.transport().where()) : reported,
          wasMaybeDone);
    }
  }

  private boolean isTransient(Failure failure, boolean wasMaybeDone) {
    // Too much for the server now: that says nothing of what it did when it was asked before.
    boolean isRefusal =
        failure.code() == Status.Code.RESOURCE_EXHAUSTED && !failure.isOutcomeUnknown();
    return failure.isTransient()
        || (wasMaybeDone && isRefusal)
        || (repeat == RetryPolicy.ANY_TIME
            && failure.isUnknown()
            && !FailureMapping.isForgotten(failure));
  }

  private boolean mayRepeat() {
    return repeat != RetryPolicy.IF_UNSENT || !maybeDone;
  }

  /** Whether it says no more than that the time was up. */
  private static boolean isOutOfTime(Failure failure) {
    return failure.code() == Status.Code.DEADLINE_EXCEEDED && !failure.isSent();
  }

  @Override
  public void close(EntroQException.Closed reason) {
    if (end()) {
      cancelNewest();
      completion.onException(reason);
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
    dispatcher.remove(this);
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
  interface Completion<A> {
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
