package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;

/** Logs failures. */
enum LoggingListener implements WorkerListener {
  LOGGING;

  private static final System.Logger LOGGER = System.getLogger(Worker.class.getName());

  @Override
  public void onCommitted(Task task, Outcome outcome) {
    if (outcome instanceof Outcome.Quarantine quarantine) {
      warn("quarantined " + name(task) + ": " + quarantine.reason(), null);
    }
  }

  @Override
  public void onHandlerFailed(Task task, Throwable failure) {
    warn("handler failed on " + name(task), failure);
  }

  @Override
  public void onLeaseLost(Task task, String reason) {
    warn("lost " + name(task) + ": " + reason, null);
  }

  @Override
  public void onOutcomeUnknown(Task task, Outcome outcome) {
    warn(
        "outcome unknown: " + outcome + " of " + name(task) + " may or may not be committed", null);
  }

  @Override
  public void onQueueFailed(Throwable failure, Duration pause) {
    warn("request to the queue failed, retrying in " + pause.toMillis() + " ms", failure);
  }

  private static void warn(String message, Throwable failure) {
    LOGGER.log(System.Logger.Level.WARNING, message, failure);
  }

  private static String name(Task task) {
    return "task " + task.id() + " of " + task.queue();
  }
}
