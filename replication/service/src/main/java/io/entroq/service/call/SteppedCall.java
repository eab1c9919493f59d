package io.entroq.service.call;

import java.util.function.Supplier;

/**
 * A call of several steps, such as authorization and then the request itself. The transport's
 * events go to the current step, and to the next one when it starts. Any thread.
 */
public final class SteppedCall implements Call {
  private int steps;
  private Call step = Call.done();
  private boolean isCancelled;
  private boolean isWithdrawn;
  private boolean isDelivered;
  private boolean isReady;

  /** Starts another step, unless the call was canceled. */
  public void step(Supplier<Call> next) {
    int number;
    synchronized (this) {
      if (isCancelled) {
        return;
      }
      number = ++steps;
    }
    started(number, next.get());
  }

  private void started(int number, Call call) {
    boolean wasCancelled;
    boolean wasWithdrawn;
    boolean wasReady;
    boolean wasDelivered;
    synchronized (this) {
      if (number != steps) {
        // The step was answered, and the next one started, before this thread got here.
        return;
      }
      step = call;
      wasCancelled = isCancelled;
      wasWithdrawn = isWithdrawn;
      wasReady = isReady;
      wasDelivered = isDelivered;
    }
    if (wasCancelled) {
      call.cancel();
    } else if (wasDelivered) {
      call.delivered();
    } else if (wasWithdrawn) {
      call.withdraw();
    } else if (wasReady) {
      call.ready();
    }
  }

  @Override
  public void cancel() {
    Call current;
    synchronized (this) {
      isCancelled = true;
      current = step;
    }
    current.cancel();
  }

  @Override
  public void withdraw() {
    Call current;
    synchronized (this) {
      isWithdrawn = true;
      current = step;
    }
    current.withdraw();
  }

  @Override
  public void delivered() {
    Call current;
    synchronized (this) {
      isDelivered = true;
      current = step;
    }
    current.delivered();
  }

  @Override
  public void ready() {
    Call current;
    synchronized (this) {
      isReady = true;
      current = step;
    }
    current.ready();
  }
}
