package io.entroq.service.limit;

import java.time.Duration;

/** How long a client may take to read a response, over any transport. */
public final class ReadTimeout {
  /** How long a response may go unread by default. */
  public static final Duration STALL_MAX_DEFAULT = Duration.ofMillis(Limit.STALL.standard());

  /** The slowest allowed client, in bytes per second. */
  private static final int READ_RATE_MIN = 16 << 10;

  private ReadTimeout() {}

  /** The timeout for a response of this size. */
  public static Duration of(Duration stallMax, long bytes) {
    return stallMax.plusSeconds(bytes / READ_RATE_MIN);
  }
}
