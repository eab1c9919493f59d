package io.entroq.api;

import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * When a task becomes available: now, at a time, or after a while, all by the clock of the engine.
 */
public sealed interface Arrival {
  /** At once. */
  static Arrival now() {
    return Now.NOW;
  }

  /**
   * At a time of the engine's clock, of which milliseconds are kept. A time that is more than 365
   * days past means now.
   */
  static Arrival at(Instant time) {
    return new At(time);
  }

  /**
   * A while after the engine accepts the request. Immune to a difference between the clocks of the
   * caller and the engine.
   *
   * @param delay zero or more; what would end past the last time that can be told ends then
   */
  static Arrival in(Duration delay) {
    return new In(delay);
  }

  /**
   * The time this stands for.
   *
   * @param nowMs the engine's time, milliseconds since the epoch
   * @return milliseconds since the epoch
   */
  long resolveMs(long nowMs);

  /** At once. */
  enum Now implements Arrival {
    /** The only one. */
    NOW;

    @Override
    public long resolveMs(long nowMs) {
      return nowMs;
    }
  }

  /**
   * At a time.
   *
   * @param time of the engine's clock
   */
  record At(Instant time) implements Arrival {
    /** Checks the component. */
    public At {
      Objects.requireNonNull(time, "time");
    }

    @Override
    public long resolveMs(long nowMs) {
      return Times.toMs(time);
    }
  }

  /**
   * After a while.
   *
   * @param delay zero or more
   */
  record In(Duration delay) implements Arrival {
    /** Checks the component. */
    public In {
      Checks.notNegative("delay", delay);
    }

    @Override
    public long resolveMs(long nowMs) {
      return Times.plusSaturating(nowMs, Times.toMs(delay));
    }
  }
}
