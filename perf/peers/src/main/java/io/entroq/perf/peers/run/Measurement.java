package io.entroq.perf.peers.run;

import io.entroq.load.LoadConfig;
import io.entroq.load.LoadResult;
import io.entroq.load.LoadRun;
import io.entroq.load.LoadTarget;
import io.entroq.load.Operation;
import io.entroq.load.Percentiles;
import io.entroq.perf.peers.peer.Shape;
import java.time.Duration;
import java.util.OptionalDouble;

/** One shape, put on one queue of a peer by the load generator. For one thread. */
final class Measurement {
  private static final int VALUE_BYTES = 128;

  /** The least that the load generator measures. */
  private static final Duration LEAST = Duration.ofMillis(10);

  private final Shape shape;
  private final Timing timing;

  Measurement(Shape shape, Timing timing) {
    this.shape = shape;
    this.timing = timing;
  }

  /**
   * Runs it.
   *
   * @throws IllegalStateException if a call fails, if no task goes through in the time that counts,
   *     or if a task is claimed that was not inserted
   * @throws io.entroq.load.LoadException if callers hang
   */
  Measured run(LoadTarget queue) {
    boolean isWarmUp = timing.measured().isZero();
    LoadConfig config =
        new LoadConfig(
            timing.warmUp(),
            isWarmUp ? LEAST : timing.measured(),
            shape.callers(),
            shape.batch(),
            VALUE_BYTES,
            0,
            1,
            OptionalDouble.empty());
    LoadResult result = new LoadRun(config, queue, timing.drain()).run();
    if (result.failure().isPresent()) {
      throw new IllegalStateException(result.failure().get());
    }
    if (result.balance().unknown() > 0) {
      throw new IllegalStateException(
          result.balance().unknown() + " claimed values were not inserted by this measurement");
    }
    if (result.totals().measuredTasks() == 0 && !isWarmUp) {
      throw new IllegalStateException(
          "no task went through within %d ms; %s"
              .formatted(timing.measured().toMillis(), result.balance()));
    }
    Percentiles cycles = result.latencies().get(Operation.CYCLE);
    return new Measured(result.tasksPerSecond(), cycles.p50(), cycles.p99(), result.balance());
  }
}
