package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Tells several listeners, and catches and logs what they throw. */
record SafeListener(List<WorkerListener> listeners) implements WorkerListener {
  @Override
  public Outcome around(WorkContext<?> work, Callable<Outcome> handler) throws Exception {
    Callable<Outcome> outermost = handler;
    for (int i = listeners.size() - 1; i >= 0; i--) {
      WorkerListener listener = listeners.get(i);
      Callable<Outcome> inner = outermost;
      outermost = () -> listener.around(work, inner);
    }
    return outermost.call();
  }

  @Override
  public void onClaimed(Task task) {
    tell(listener -> listener.onClaimed(task));
  }

  @Override
  public void onCommitted(Task task, Outcome outcome) {
    tell(listener -> listener.onCommitted(task, outcome));
  }

  @Override
  public void onHandlerFailed(Task task, Throwable failure) {
    tell(listener -> listener.onHandlerFailed(task, failure));
  }

  @Override
  public void onLeaseLost(Task task, String reason) {
    tell(listener -> listener.onLeaseLost(task, reason));
  }

  @Override
  public void onOutcomeUnknown(Task task, Outcome outcome) {
    tell(listener -> listener.onOutcomeUnknown(task, outcome));
  }

  @Override
  public void onQueueFailed(Throwable failure, Duration pause) {
    tell(listener -> listener.onQueueFailed(failure, pause));
  }

  private void tell(Consumer<WorkerListener> event) {
    for (WorkerListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (Throwable e) {
        // An Error too: it must not end a worker's thread or the thread that renews leases.
        System.getLogger(Worker.class.getName())
            .log(System.Logger.Level.WARNING, "a listener failed", e);
      }
    }
  }
}
