package io.entroq.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import java.util.concurrent.TimeUnit;

/**
 * A write with a request number, which takes effect once however often it is sent. Any thread.
 *
 * @param <Q> the request
 * @param <A> the response
 */
final class IdempotentWrite<Q extends Message, A extends Message> {
  private final Dispatcher dispatcher;
  private final CurrentWindow windows;
  private final Method<Q, A> method;
  private final Q request;
  private final IdentitySetter<Q> identitySetter;
  private final PendingCall.Completion<A> completion;
  private final long deadlineNs;

  /**
   * Creates the write; its timeout starts now.
   *
   * @param request without identity
   * @param identitySetter sets the identity
   * @param timeoutMs how long it is retried
   * @param completion called once
   */
  IdempotentWrite(
      Dispatcher dispatcher,
      CurrentWindow windows,
      Method<Q, A> method,
      Q request,
      IdentitySetter<Q> identitySetter,
      long timeoutMs,
      PendingCall.Completion<A> completion) {
    this.dispatcher = dispatcher;
    this.windows = windows;
    this.method = method;
    this.request = request;
    this.identitySetter = identitySetter;
    this.completion = completion;
    this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
  }

  /** Sends the request as soon as it gets a number. */
  void start() {
    RequestWindow window = windows.current();
    window.acquire(new NumberReceiver(window));
  }

  private void send(RequestWindow window, long number) {
    long remainingMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
    new PendingCall<>(
            dispatcher,
            method,
            () -> identitySetter.set(request, window.clientId(), number, window.ackedBelow()),
            RetryPolicy.ANY_TIME,
            Math.max(1, remainingMs),
            new Completion(window, number))
        .start();
  }

  @FunctionalInterface
  interface IdentitySetter<Q> {
    Q set(Q request, ByteString clientId, long number, long ackedBelow);
  }

  private final class NumberReceiver implements RequestWindow.NumberReceiver {
    private final RequestWindow window;

    NumberReceiver(RequestWindow window) {
      this.window = window;
    }

    @Override
    public long deadlineNs() {
      return deadlineNs;
    }

    @Override
    public void onNumber(long number) {
      if (window == windows.current()) {
        send(window, number);
      } else {
        // The window was replaced before this request was sent.
        start();
        window.release(number);
      }
    }

    @Override
    public void onRefused(EntroQException reason) {
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
      window.release(number);
      completion.onAnswer(answer);
    }

    @Override
    public void onFailure(Failure failure, boolean maybeDone) {
      if (number == 1 && !FailureMapping.isDependency(failure)) {
        // The window's first request was refused, so no server may know the window's client id.
        windows.replace(window);
      }
      if (FailureMapping.isForgotten(failure)) {
        windows.replace(window);
        if (!maybeDone) {
          // No attempt has taken effect, so the request is repeated in the new window.
          start();
          window.release(number);
          return;
        }
      }
      window.release(number);
      completion.onFailure(failure, maybeDone);
    }

    @Override
    public void onException(RuntimeException exception) {
      window.release(number);
      completion.onException(exception);
    }
  }
}
