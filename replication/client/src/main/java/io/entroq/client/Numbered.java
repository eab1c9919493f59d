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
final class Numbered<Q extends Message, A extends Message> {
  private final Link link;
  private final Windows windows;
  private final Method<Q, A> method;
  private final Q request;
  private final Stamp<Q> stamp;
  private final Ask.Ending<A> ending;
  private final long deadlineNs;

  /**
   * Its time begins now.
   *
   * @param request without a number
   * @param stamp puts one on it
   * @param ending told once
   */
  Numbered(
      Link link,
      Windows windows,
      Method<Q, A> method,
      Q request,
      Stamp<Q> stamp,
      Ask.Ending<A> ending) {
    this.link = link;
    this.windows = windows;
    this.method = method;
    this.request = request;
    this.stamp = stamp;
    this.ending = ending;
    this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(link.callTimeoutMs());
  }

  /** Sends it as soon as there is a number for it. */
  void start() {
    Window window = windows.current();
    window.number(new Applicant(window));
  }

  private void ask(Window window, long number) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
    new Ask<>(
            link,
            method,
            () -> stamp.on(request, window.clientId(), number, window.ackedBelow()),
            Repeat.ANY_TIME,
            Math.max(1, leftMs),
            new Ending(window, number))
        .start();
  }

  /** Puts a number on a request. */
  @FunctionalInterface
  interface Stamp<Q> {
    Q on(Q request, ByteString clientId, long number, long ackedBelow);
  }

  private final class Applicant implements Window.Applicant {
    private final Window window;

    Applicant(Window window) {
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
      ending.onException(reason);
    }
  }

  private final class Ending implements Ask.Ending<A> {
    private final Window window;
    private final long number;

    Ending(Window window, long number) {
      this.window = window;
      this.number = number;
    }

    @Override
    public void onAnswer(A answer) {
      window.answered(number);
      ending.onAnswer(answer);
    }

    @Override
    public void onFailure(Failure failure, boolean maybeDone) {
      if (number == 1 && failure.code() != Status.Code.NOT_FOUND) {
        // It may have been refused before any server knew the window by it.
        windows.forget(window);
      }
      if (Refusals.isForgotten(failure)) {
        windows.forget(window);
        if (!maybeDone) {
          // Nothing was done, now or before, and there is a window in which it can be.
          start();
          window.answered(number);
          return;
        }
      }
      window.answered(number);
      ending.onFailure(failure, maybeDone);
    }

    @Override
    public void onException(RuntimeException exception) {
      window.answered(number);
      ending.onException(exception);
    }
  }
}
