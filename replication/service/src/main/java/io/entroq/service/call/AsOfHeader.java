package io.entroq.service.call;

import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.List;
import java.util.Optional;

/**
 * The point as of which a call reads, from a header of its request. Its response has the same
 * header, with what is shown: the sequence of the last step, and after a semicolon the log time as
 * of which it is shown, in milliseconds since the epoch. A server that does not know it answers
 * without. Any thread.
 */
public final class AsOfHeader {
  public static final String NAME = "entroq-at";

  private AsOfHeader() {}

  /**
   * The point; empty: the present.
   *
   * @throws RefusedException if the header is not one point
   */
  public static Optional<HistoryPoint> of(CallContext context) {
    if (context.headers().first(NAME).isEmpty()) {
      return Optional.empty();
    }
    List<String> values = context.headers().all(NAME);
    if (values.size() > 1) {
      throw new RefusedException(Refusal.invalid(NAME + ": a request names one point"));
    }
    try {
      return Optional.of(HistoryPoint.parse(values.get(0)));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(Refusal.invalid(NAME + ": " + e.getMessage()));
    }
  }

  /**
   * The point of a call that can be answered as of then, if it names one.
   *
   * @throws RefusedException if the header is not one point, or the method does not read a state
   */
  public static Optional<HistoryPoint> of(Method<?, ?> method, CallContext context) {
    Optional<HistoryPoint> point = of(context);
    if (point.isPresent() && !method.readsState()) {
      throw new RefusedException(
          Refusal.invalid(
              NAME
                  + ": only the present can be written to, waited for, or asked for what no state"
                  + " has; ask without this header"));
    }
    return point;
  }

  /** The value for a response. */
  public static String value(long sequence, long timeMs) {
    return sequence + ";" + timeMs;
  }
}
