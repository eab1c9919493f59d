package io.entroq.engine.feed;

import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedEnd.Reason;
import io.entroq.engine.history.HistoryException;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordsRemovedException;
import java.util.function.LongFunction;

/** What to tell those who wanted to read history that cannot be read. */
public final class HistoryFailure {
  private HistoryFailure() {}

  /** Whether nobody wanted the rest. */
  public static boolean isAbandoned(Throwable failure) {
    return failure instanceof HistoryException e && e.reason() == HistoryException.Reason.ABANDONED;
  }

  /**
   * Why history cannot be read.
   *
   * @param failure of reading it, and not because it was {@linkplain #isAbandoned abandoned}
   * @param gone the text if it is no longer kept, from the first point that is, or {@link
   *     Long#MAX_VALUE} if none is
   */
  public static FeedEnd end(Throwable failure, LongFunction<String> gone) {
    if (failure instanceof HistoryException e) {
      return switch (e.reason()) {
        case GONE -> new FeedEnd(Reason.OUT_OF_RANGE, gone.apply(e.sequence()));
        case FUTURE -> new FeedEnd(Reason.FUTURE, e.getMessage());
        case OTHER_PAST -> new FeedEnd(Reason.OTHER_LOG, e.getMessage());
        case MEMORY -> new FeedEnd(Reason.EXHAUSTED, e.getMessage());
        case ABANDONED -> throw new IllegalArgumentException("nobody wants to know", e);
      };
    }
    if (failure instanceof RecordsRemovedException) {
      return new FeedEnd(Reason.OUT_OF_RANGE, "what follows was removed while it was read");
    }
    boolean isMemory =
        failure instanceof OutOfMemoryError || failure.getCause() instanceof OutOfMemoryError;
    String text = failure instanceof LogException ? failure.getMessage() : failure.toString();
    return new FeedEnd(isMemory ? Reason.EXHAUSTED : Reason.FAULT, text);
  }

  /** The files were replaced. */
  public static FeedEnd replaced() {
    return new FeedEnd(
        Reason.AWAY, "the files with the history were replaced while they were read");
  }

  /** The files cannot be read at present. */
  public static FeedEnd away() {
    return new FeedEnd(
        Reason.AWAY, "the history cannot be read here at present: its files are not complete");
  }
}
