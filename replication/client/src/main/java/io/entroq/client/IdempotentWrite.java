package io.entroq.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;

/**
 * A write that has a number of a window, so that it is done once however often it is sent. Any
 * thread.
 *
 * @param <Q> the request
 * @param <A> the answer
 */
final class IdempotentWrite<Q extends Message, A extends Message> {
  private final Dispatcher dispatcher;
  private final CurrentWindow windows;
  private final Method<Q, A> method;
  private final Q request;
  private final IdentitySetter<Q> stamp;
  private final PendingCall.Completion<A> completion;
  private final long deadlineNs;

  /**
   * Its time begins now.
   *
   * @param request without a number
   * @param stamp puts one on it
   * @param completion told once
   */
  IdempotentWrite(
      Dispatcher dispatcher,
      CurrentWindow windows,
      Method<Q, A> method,
      Q request,
      IdentitySetter<Q> stamp,
      PendingCall.Completion<A> completion) {
    this.dispatcher = dispatcher;
    this.windows = windows;
    this.method = method;
    this.request = request;
    this.stamp = stamp;
    this.completion = completion;
    this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(dispatcher.callTimeoutMs());
  }

  /** Sends it as soon as there is a number for it. */
  void start() {
    RequestWindow window = windows.current();
    window.number(new Applicant(window));
  }

  private void ask(RequestWindow window, long number) {
    long remainingMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
    new PendingCall<>(
            dispatcher,
            method,
            () -> stamp.on(request, window.clientId(), number, window.ackedBelow()),
            RetryPolicy.ANY_TIME,
            Math.max(1, remainingMs),
            new Completion(window, number))
        .start();
  }

  /** Puts a number on a request. */
  @FunctionalInterface
  interface IdentitySetter<Q> {
    Q on(Q request, ByteString clientId, long number, long ackedBelow);
  }

  private final class Applicant implements RequestWindow.Applicant {
    private final RequestWindow window;

    Applicant(RequestWindow window) {
      this.window = window;
    }

    @Override
    public long deadlineNs() {
      return deadlineNs;
    }

    @Override
    public void numbered(long number) {
      if (window == windows.current()) {
        ask(window, number);
      } else {
        // No server may know it, and this has not been sent yet.
        start();
        window.answered(number);
      }
    }

    @Override
    public void refused(EntroQException reason) {
      completion.onException(reason);
    }
  }

  private final class Completion implements PendingCall.Completion<A> {
    private final RequestWindow window;
    private final long number;

    Completion(RequestWindow window, long number) {
      this.window = window;
      this.number = number;
    }

    @Override
    public void onAnswer(A answer) {
      window.answered(number);
      completion.onAnswer(answer);
    }

    @Override
    public void onFailure(Failure failure, boolean maybeDone) {
      if (number == 1 && failure.code() != Status.Code.NOT_FOUND) {
        // It may have been refused before any server knew the window by it.
        windows.forget(window);
      }
      if (FailureMapping.isForgotten(failure)) {
        windows.forget(window);
        if (!maybeDone) {
          // Nothing was done, now or before, and there is a window in which it can be.
          start();
          window.answered(number);
          return;
        }
      }
      window.answered(number);
      completion.onFailure(failure, maybeDone);
    }

    @Override
    public void onException(RuntimeException exception) {
      window.answered(number);
      completion.onException(exception);
    }
  }
}
