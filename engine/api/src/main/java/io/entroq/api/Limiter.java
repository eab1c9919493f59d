package io.entroq.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Limits that several queues share, such as those of a service that their tasks call. Queues name
 * their limiters in their {@link QueuePolicy}. Immutable; the methods with arguments return changed
 * copies.
 *
 * <pre>{@code
 * queue.policies().put(Limiter.of("stripe-api").rate(100, Duration.ofSeconds(1)).inFlight(20));
 * }</pre>
 *
 * @param name 1 to 1,024 bytes of UTF-8
 * @param rate how fast tasks start in all its queues together
 * @param inFlight how many tasks of all its queues may be in flight at once; 0 for no limit
 */
public record Limiter(String name, Optional<QueuePolicy.Rate> rate, int inFlight)
    implements Policies.Rules {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Limiter {
    Checks.name("limiter", name);
    Objects.requireNonNull(rate, "rate");
    Checks.inRange("inFlight", inFlight, 0, Integer.MAX_VALUE);
  }

  /** A limiter without any limit yet. */
  public static Limiter of(String name) {
    return new Limiter(name, Optional.empty(), 0);
  }

  /** Starts at most so many tasks in each period, one after the other: a burst of 1. */
  public Limiter rate(long limit, Duration period) {
    return new Limiter(name, Optional.of(new QueuePolicy.Rate(limit, period, 1)), inFlight);
  }

  /**
   * Lets so many tasks start at once after a quiet time.
   *
   * @throws EntroQException.InvalidArgument if there is no rate
   */
  public Limiter burst(long burst) {
    QueuePolicy.Rate known =
        rate.orElseThrow(
            () -> new EntroQException.InvalidArgument("burst " + burst + " needs a rate"));
    return new Limiter(name, Optional.of(known.withBurst(burst)), inFlight);
  }

  public Limiter inFlight(int max) {
    return new Limiter(name, rate, max);
  }

  @Override
  public Policies.Target target() {
    return Policies.Target.limiter(name);
  }
}
