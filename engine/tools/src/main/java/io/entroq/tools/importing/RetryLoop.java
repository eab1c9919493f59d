package io.entroq.tools.importing;

import io.entroq.api.EntroQException;
import io.entroq.api.worker.Backoff;
import io.entroq.tools.importing.source.SourceException;
import io.entroq.tools.importing.source.SourceException.Reason;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Retries requests to an unavailable source or target with backoff, until there was no success for
 * a given time.
 */
final class RetryLoop {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(50), Duration.ofSeconds(3), 0.5);

  private final Duration limit;
  private final Interruption interruption;
  private final String targetName;
  private int failures;
  private long firstNs;

  /**
   * @param limit how long to retry without success
   * @param targetName name of the target in messages
   */
  RetryLoop(Duration limit, Interruption interruption, String targetName) {
    this.limit = limit;
    this.interruption = interruption;
    this.targetName = targetName;
  }

  /** Resets the time limit after a success. */
  void succeeded() {
    failures = 0;
  }

  /**
   * Pauses before a retry.
   *
   * @throws CommandException if a retry cannot help, or the time limit is over
   */
  void failed(UnitName unit, SourceException e) {
    switch (e.reason()) {
      case PASSING -> await(e.getMessage(), e);
      case TOO_LONG ->
          throw new CommandException(
              "%s (at %s; raise the limit with --from-max-msg-size-mb)"
                  .formatted(e.getMessage(), unit),
              e);
      default -> throw new CommandException("%s (at %s)".formatted(e.getMessage(), unit), e);
    }
  }

  /**
   * Repeats a request to the source until it succeeds.
   *
   * @param what description of the request for messages
   */
  <T> T ofSource(String what, Supplier<T> request) {
    while (true) {
      try {
        T answer = request.get();
        succeeded();
        return answer;
      } catch (SourceException e) {
        if (e.reason() != Reason.PASSING) {
          throw new CommandException("%s (%s)".formatted(e.getMessage(), what), e);
        }
        await(e.getMessage(), e);
      }
    }
  }

  /**
   * Repeats a request to the target until it succeeds.
   *
   * @param request must be safe to repeat
   */
  <T> T ofTarget(Supplier<T> request) {
    while (true) {
      try {
        T answer = request.get();
        succeeded();
        return answer;
      } catch (EntroQException.Unavailable
          | EntroQException.OutcomeUnknown
          | EntroQException.ResourceExhausted e) {
        await("the target %s: %s".formatted(targetName, e.getMessage()), e);
      } catch (EntroQException.PermissionDenied e) {
        throw new CommandException("the target %s: %s".formatted(targetName, e.getMessage()), e);
      }
    }
  }

  private void await(String message, RuntimeException cause) {
    long nowNs = System.nanoTime();
    if (failures == 0) {
      firstNs = nowNs;
    }
    failures++;
    if (nowNs - firstNs > limit.toNanos()) {
      throw new CommandException("%s (for %d s)".formatted(message, limit.toSeconds()), cause);
    }
    interruption.pause(BACKOFF.after(failures));
    if (interruption.isRequested()) {
      throw new ImportInterruptedException();
    }
  }
}
