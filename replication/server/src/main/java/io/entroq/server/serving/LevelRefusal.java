package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.concurrent.CompletionException;

/** Maps failures of behavior level requests to status codes. */
final class LevelRefusal {
  private LevelRefusal() {}

  /**
   * A request that was refused before it was proposed gets RESOURCE_EXHAUSTED. Clients would take
   * UNAVAILABLE to mean that it may have been executed.
   *
   * @param fallback the message for failures that are not refusals
   */
  static Refusal of(Throwable why, String fallback) {
    Throwable cause = why instanceof CompletionException ? why.getCause() : why;
    if (cause instanceof EntroQException.Unavailable || cause instanceof EntroQException.Closed) {
      return new Refusal(Status.Code.RESOURCE_EXHAUSTED, cause.getMessage());
    }
    return cause instanceof EntroQException refused
        ? Refusal.of(refused)
        : new Refusal(Status.Code.UNKNOWN, fallback);
  }
}
