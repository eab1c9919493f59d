package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;

/** Catches and logs what a listener throws. */
record SafeListener(WorkerListener listener) implements WorkerListener {
  @Override
  public void onClaimed(Task task) {
    tell(() -> listener.onClaimed(task));
  }

  @Override
  public void onCommitted(Task task, Outcome outcome) {
    tell(() -> listener.onCommitted(task, outcome));
  }

  @Override
  public void onHandlerFailed(Task task, Throwable failure) {
    tell(() -> listener.onHandlerFailed(task, failure));
  }

  @Override
  public void onLeaseLost(Task task, String reason) {
    tell(() -> listener.onLeaseLost(task, reason));
  }

  @Override
  public void onOutcomeUnknown(Task task, Outcome outcome) {
    tell(() -> listener.onOutcomeUnknown(task, outcome));
  }

  @Override
  public void onQueueFailed(Throwable failure, Duration pause) {
    tell(() -> listener.onQueueFailed(failure, pause));
  }

  private static void tell(Runnable event) {
    try {
      event.run();
    } catch (Throwable e) {
      // An Error too: it must not end a worker's thread or the thread that renews leases.
      System.getLogger(Worker.class.getName())
          .log(System.Logger.Level.WARNING, "a listener failed", e);
    }
  }
}
