package io.entroq.service.limit;

import java.time.Duration;

/** How long a reader may take, over any transport. */
public final class ReadTimeout {
  /** Whoever takes nothing of an answer for so long is cut, unless a server is told otherwise. */
  public static final Duration STALL_MAX_DEFAULT = Duration.ofMillis(Limit.STALL.standard());

  /** How slow whoever reads an answer may be at least, in bytes per second. */
  private static final int READ_RATE_MIN = 16 << 10;

  private ReadTimeout() {}

  /** How long a reader may take until an answer of so many bytes has left. */
  public static Duration of(Duration stallMax, long bytes) {
    return stallMax.plusSeconds(bytes / READ_RATE_MIN);
  }
}
