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
 * Waits for a source or a target that is away, longer each time, until nothing has gone well for as
 * long as was allowed.
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
   * @param limit how long
   * @param targetName what the target is called in messages
   */
  RetryLoop(Duration limit, Interruption interruption, String targetName) {
    this.limit = limit;
    this.interruption = interruption;
    this.targetName = targetName;
  }

  /** Something has gone well: it begins anew with the next failure. */
  void succeeded() {
    failures = 0;
  }

  /**
   * Waits, if it may be better then.
   *
   * @throws CommandException if it cannot, or if it has taken too long
   */
  void failed(UnitName place, SourceException e) {
    switch (e.reason()) {
      case PASSING -> await(e.getMessage(), e);
      case TOO_LONG ->
          throw new CommandException(
              "%s (at %s; more is taken with --from-max-msg-size-mb)"
                  .formatted(e.getMessage(), place),
              e);
      default -> throw new CommandException("%s (at %s)".formatted(e.getMessage(), place), e);
    }
  }

  /**
   * Asks the source until it answers.
   *
   * @param what what is asked for, for people
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
   * Asks the target until it answers.
   *
   * @param request may be done twice
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
