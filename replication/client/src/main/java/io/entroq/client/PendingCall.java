package io.entroq.client;

import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.transport.Exchange;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.client.transport.Receiver;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A request with its retries, until it is answered or its time is up. Any thread.
 *
 * @param <Q> the request
 * @param <A> the response
 */
final class PendingCall<Q extends Message, A extends Message> implements Dispatcher.OpenRequest {
  /** There is no retry with less time than this. */
  private static final long REMAINING_MS_MIN = 20;

  private final Dispatcher dispatcher;
  private final Method<Q, A> method;
  private final Supplier<Q> request;
  private final RetryPolicy retryPolicy;
  private final Completion<A> completion;
  private final long timeoutMs;
  private final long startNs = System.nanoTime();
  private final AtomicBoolean isOver = new AtomicBoolean();

  /** The last attempt, unless it has failed; null while waiting for a retry. */
  private Attempt newest;

  private int failures;
  private boolean maybeDone;

  /** The last failure to reach a server; null if there was none. */
  private Failure lastUnavailable;

  /**
   * @param request creates the message for each attempt
   * @param retryPolicy when it may be sent again
   * @param timeoutMs total time for all attempts
   * @param completion called once
   */
  PendingCall(
      Dispatcher dispatcher,
      Method<Q, A> method,
      Supplier<Q> request,
      RetryPolicy retryPolicy,
      long timeoutMs,
      Completion<A> completion) {
    this.dispatcher = dispatcher;
    this.method = method;
    this.request = request;
    this.retryPolicy = retryPolicy;
    this.timeoutMs = timeoutMs;
    this.completion = completion;
  }

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
    attempt.exchange = dispatcher.transport().send(method, request.get(), remainingMs(), attempt);
  }

  /** The previous server may still answer; the first answer counts. */
  @Override
  public void failOver() {
    synchronized (this) {
      if (retryPolicy != RetryPolicy.ANY_TIME || newest == null) {
        return;
      }
      maybeDone = true;
    }
    send();
  }

  private long remainingMs() {
    long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    return Math.max(1, timeoutMs - passedMs);
  }

  /** The last failure to reach a server; null if there was none. */
  synchronized Failure lastUnavailable() {
    return lastUnavailable;
  }

  private void onAnswer(A answer) {
    dispatcher.noteResponse();
    if (end()) {
      completion.onAnswer(answer);
    }
  }

  private void onFailure(Attempt attempt, Failure failure) {
    boolean wasMaybeDone;
    boolean willRetry;
    Failure reported = failure;
    synchronized (this) {
      wasMaybeDone = maybeDone;
      maybeDone |= failure.isOutcomeUnknown();
      if (attempt != newest) {
        // A newer attempt is in progress.
        return;
      }
      newest = null;
      if (failure.code() == Status.Code.UNAVAILABLE) {
        lastUnavailable = failure;
      } else if (isOutOfTime(failure) && lastUnavailable != null) {
        reported = lastUnavailable;
      }
      willRetry =
          isTransient(failure, wasMaybeDone) && mayRetry() && remainingMs() >= REMAINING_MS_MIN;
      failures += willRetry ? 1 : 0;
    }
    if (willRetry) {
      dispatcher.schedule(Math.min(dispatcher.backoffMs(failures), remainingMs() / 2), this::send);
    } else if (end()) {
      completion.onFailure(
          reported.isTransient() ? reported.with(dispatcher.transport().endpointText()) : reported,
          wasMaybeDone);
    }
  }

  private boolean isTransient(Failure failure, boolean wasMaybeDone) {
    // An overloaded server says nothing about an earlier attempt, so that is resolved by a retry.
    boolean isRefusal =
        failure.code() == Status.Code.RESOURCE_EXHAUSTED && !failure.isOutcomeUnknown();
    return failure.isTransient()
        || (wasMaybeDone && isRefusal)
        || (retryPolicy == RetryPolicy.ANY_TIME
            && failure.isUnknown()
            && !FailureMapping.isForgotten(failure));
  }

  private boolean mayRetry() {
    return retryPolicy != RetryPolicy.IF_UNSENT || !maybeDone;
  }

  /** Whether the time was up before the request was sent, which says nothing about the cause. */
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

  private final class Attempt implements Receiver<A> {
    private volatile Exchange exchange = () -> {};

    @Override
    public void onAnswer(A answer) {
      PendingCall.this.onAnswer(answer);
    }

    @Override
    public void onFailure(Failure failure) {
      PendingCall.this.onFailure(this, failure);
    }
  }

  /**
   * Receives the outcome of a request.
   *
   * @param <A> the response
   */
  interface Completion<A> {
    void onAnswer(A answer);

    /**
     * Called if all attempts failed.
     *
     * @param failure of the last attempt
     * @param maybeDone whether an earlier attempt may have taken effect
     */
    void onFailure(Failure failure, boolean maybeDone);

    /** Called if the client was closed; what was sent may still take effect. */
    void onException(RuntimeException exception);
  }
}
