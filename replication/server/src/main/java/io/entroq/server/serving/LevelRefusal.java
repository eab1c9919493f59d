package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.concurrent.CompletionException;

/** Why operators who ask for the behaviour level do not get what they want. */
final class LevelRefusal {
  private LevelRefusal() {}

  /**
   * What is refused before anything was proposed is ABORTED: of UNAVAILABLE clients believe that it
   * may have been done.
   *
   * @param otherwise what is told if nobody has refused it
   */
  static Refusal of(Throwable why, String otherwise) {
    Throwable cause = why instanceof CompletionException ? why.getCause() : why;
    if (cause instanceof EntroQException.Unavailable || cause instanceof EntroQException.Closed) {
      return new Refusal(Status.Code.ABORTED, cause.getMessage());
    }
    return cause instanceof EntroQException refused
        ? Refusal.of(refused)
        : new Refusal(Status.Code.UNKNOWN, otherwise);
  }
}
