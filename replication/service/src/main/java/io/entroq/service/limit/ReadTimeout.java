package io.entroq.service.limit;

import java.time.Duration;

/** How long a reader may take, over any transport. */
public final class ReadTimeout {
  /** The default for how long nothing of a response may be read. */
  public static final Duration STALL_MAX_DEFAULT = Duration.ofMillis(Limit.STALL.standard());

  /** The slowest allowed reader, in bytes per second. */
  private static final int READ_RATE_MIN = 16 << 10;

  private ReadTimeout() {}

  /** How long a reader may take for a response of that size. */
  public static Duration of(Duration stallMax, long bytes) {
    return stallMax.plusSeconds(bytes / READ_RATE_MIN);
  }
}
