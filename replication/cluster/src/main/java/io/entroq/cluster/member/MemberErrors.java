package io.entroq.cluster.member;

import io.aeron.exceptions.AeronEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.agrona.ErrorHandler;

/** Tells the operator what goes wrong in the parts of a member, and remembers the last of it. */
final class MemberErrors {
  private static final Logger LOGGER = System.getLogger(MemberErrors.class.getName());

  private final int memberId;
  private volatile Throwable last;

  MemberErrors(int memberId) {
    this.memberId = memberId;
  }

  /** A handler that says in which part it was. Any thread. */
  ErrorHandler in(String part) {
    return error -> tell(part, error);
  }

  private void tell(String part, Throwable error) {
    if (error instanceof AeronEvent) {
      LOGGER.log(Level.DEBUG, () -> text(part, error));
      return;
    }
    // What fails again and again, as an election does, is told of once.
    boolean isRepeated = last != null && text(part, error).equals(text(part, last));
    last = error;
    LOGGER.log(isRepeated ? Level.DEBUG : Level.WARNING, text(part, error), error);
  }

  /** Tells whoever looks for the cause of something what it may have been. Any thread. */
  void inform(String text) {
    LOGGER.log(Level.INFO, "member " + memberId + " " + text);
  }

  private String text(String part, Throwable error) {
    return "member %d, %s: %s".formatted(memberId, part, error.getMessage());
  }

  /** What went wrong last; null: nothing. */
  Throwable last() {
    return last;
  }
}
