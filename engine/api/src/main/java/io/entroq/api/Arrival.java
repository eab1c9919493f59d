package io.entroq.api;

import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** When a task becomes available: now, at a time, or after a delay, by the engine's clock. */
public sealed interface Arrival {
  /** Available immediately. */
  static Arrival now() {
    return Now.NOW;
  }

  /**
   * Available at a time of the engine's clock, in whole milliseconds. A time more than 365 days in
   * the past means now. To a server it is sent as a delay from the server's time as the client
   * knows it, so it may be off by milliseconds; {@link #in} is exact.
   */
  static Arrival at(Instant time) {
    return new At(time);
  }

  /**
   * Available after a delay that starts when the engine accepts the request, so that the caller's
   * clock does not matter.
   *
   * @param delay zero or more; capped at the latest representable time
   */
  static Arrival in(Duration delay) {
    return new In(delay);
  }

  /**
   * Resolves this arrival to milliseconds since the epoch.
   *
   * @param nowMs the engine's time, in milliseconds since the epoch
   */
  long resolveMs(long nowMs);

  /** {@link #now()}. */
  enum Now implements Arrival {
    NOW;

    @Override
    public long resolveMs(long nowMs) {
      return nowMs;
    }
  }

  /** {@link #at(Instant)}. */
  record At(Instant time) implements Arrival {
    public At {
      Objects.requireNonNull(time, "time");
    }

    @Override
    public long resolveMs(long nowMs) {
      return Times.toMs(time);
    }
  }

  /** {@link #in(Duration)}. */
  record In(Duration delay) implements Arrival {
    public In {
      Checks.notNegative("delay", delay);
    }

    @Override
    public long resolveMs(long nowMs) {
      return Times.plusSaturating(nowMs, Times.toMs(delay));
    }
  }
}
