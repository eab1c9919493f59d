package io.entroq.service.call;

import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The log position that a read waits for, from a header of its request. Any thread. */
public final class MinPosition {
  public static final String HEADER = "entroq-min-position";

  /** How long a read without a deadline waits. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private static final int DIGITS_QUOTED = 32;

  private MinPosition() {}

  /**
   * The position to wait for; 0: none.
   *
   * @throws RefusedException if the header is not a position
   */
  public static long of(CallContext context) {
    Optional<String> header = context.headers().first(HEADER);
    return header.isEmpty() ? 0 : read(header.get());
  }

  private static long read(String text) {
    try {
      if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException e) {
      // Too large: refused like any other text.
    }
    String quoted = text.substring(0, Math.min(text.length(), DIGITS_QUOTED));
    throw new RefusedException(
        Refusal.invalid(HEADER + ": not a number from 0 to 2^63 - 1: " + quoted));
  }

  /** How long the read may wait, in nanoseconds; 0 or less if its deadline has passed. */
  public static long patienceNs(CallContext context) {
    return context.deadlineNanos().isEmpty()
        ? PATIENCE_NS
        : context.deadlineNanos().getAsLong() - System.nanoTime();
  }
}
