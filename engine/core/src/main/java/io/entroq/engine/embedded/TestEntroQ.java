package io.entroq.engine.embedded;

import io.entroq.engine.time.ManualClock;
import java.time.Duration;
import java.time.Instant;

/**
 * A task queue for tests: in memory, with a clock that moves only when it is advanced.
 *
 * <pre>{@code
 * try (TestEntroQ queue = TestEntroQ.open()) {
 *   queue.modify(Modification.insert(Insert.into("q").availableIn(Duration.ofHours(1)))).orThrow();
 *   queue.advance(Duration.ofHours(1));
 *   queue.tryClaim(Claim.from("q")).orElseThrow();
 * }
 * }</pre>
 */
public final class TestEntroQ extends EmbeddedEntroQ {
  /** The clock's default start: midnight of 1 January 2026, UTC. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final ManualClock clock;

  private TestEntroQ(EmbeddedConfig config, ManualClock clock) {
    super(config, EngineStore.open(config, EngineEnvironment.ofThisMachine()));
    this.clock = clock;
  }

  /** Opens an empty queue at {@link #START}. */
  public static TestEntroQ open() {
    return open(START);
  }

  /** Opens an empty queue at a time. */
  public static TestEntroQ open(Instant start) {
    ManualClock clock = new ManualClock(start);
    return new TestEntroQ(EmbeddedConfig.inMemory().clock(clock).build(), clock);
  }

  /**
   * Advances the clock. When this returns, everything due by then has happened: waiting claims have
   * received tasks that became available, or have timed out.
   *
   * @param duration zero or more; milliseconds count
   */
  public void advance(Duration duration) {
    clock.advance(duration);
    // Reading the time goes through the engine's thread, after everything due.
    time();
  }

  /** The clock's time. */
  public Instant now() {
    return clock.now();
  }
}
