package io.entroq.cluster.member;

import io.aeron.cluster.service.ClusterTerminationException;
import io.aeron.exceptions.AeronEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.agrona.ErrorHandler;

/** Logs errors of a member's components, and keeps the last one. */
final class MemberErrors {
  private static final Logger LOGGER = System.getLogger(MemberErrors.class.getName());

  private final int memberId;
  private volatile Throwable last;

  MemberErrors(int memberId) {
    this.memberId = memberId;
  }

  /** An error handler for a component. Any thread. */
  ErrorHandler handler(String component) {
    return error -> onError(component, error);
  }

  private void onError(String component, Throwable error) {
    if (error instanceof AeronEvent || isExpected(error)) {
      LOGGER.log(Level.DEBUG, () -> text(component, error));
      return;
    }
    // A repeated error, such as that of a failing election, is logged once.
    boolean isRepeated = last != null && text(component, error).equals(text(component, last));
    last = error;
    LOGGER.log(isRepeated ? Level.DEBUG : Level.WARNING, text(component, error), error);
  }

  /** Whether it only says that all members stop. */
  private static boolean isExpected(Throwable error) {
    return error instanceof ClusterTerminationException end && end.isExpected();
  }

  /** Logs a message that may help to find the cause of a problem. Any thread. */
  void info(String text) {
    LOGGER.log(Level.INFO, "member " + memberId + " " + text);
  }

  private String text(String component, Throwable error) {
    return "member %d, %s: %s".formatted(memberId, component, error.getMessage());
  }

  /** The last error; null if there was none. */
  Throwable last() {
    return last;
  }
}
