package io.entroq.examples.ratelimit;

import io.entroq.api.EntroQ;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import java.time.Duration;

/** What the API allows, and the queues whose tasks call it. */
final class ApiLimits {
  /** Calls that somebody waits for. */
  static final String URGENT = "calls/urgent";

  /** Calls that nobody waits for. */
  static final String NIGHTLY = "calls/nightly";

  /** All calls. */
  static final Policies.Target API = Policies.Target.limiter("api");

  /** How many calls at once. */
  static final int IN_FLIGHT = 4;

  private ApiLimits() {}

  /** Sets them all in one step; those that are set already are replaced. */
  static void set(EntroQ queue) {
    Limiter api = Limiter.of("api").rate(50, Duration.ofSeconds(1)).burst(5).inFlight(IN_FLIGHT);
    queue
        .modify(
            Modification.put(api)
                .and(Modification.put(calling(URGENT)))
                // Half of what the API allows at most.
                .and(Modification.put(calling(NIGHTLY).rate(25, Duration.ofSeconds(1)))))
        .orThrow();
  }

  private static QueuePolicy calling(String name) {
    return QueuePolicy.of(name)
        .limiters("api")
        .retry(Duration.ofSeconds(1), Duration.ofMinutes(10))
        .attempts(8)
        .lapses(3);
  }
}
