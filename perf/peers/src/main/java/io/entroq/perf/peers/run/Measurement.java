package io.entroq.perf.peers.run;

import io.entroq.load.LoadConfig;
import io.entroq.load.LoadResult;
import io.entroq.load.LoadRun;
import io.entroq.load.LoadTarget;
import io.entroq.load.Operation;
import io.entroq.load.Percentiles;
import io.entroq.perf.peers.peer.Shape;
import java.util.OptionalDouble;

/** Puts one shape of load on one queue of a peer. For one thread. */
final class Measurement {
  private static final int VALUE_BYTES = 128;

  private final Shape shape;
  private final Timing timing;

  Measurement(Shape shape, Timing timing) {
    this.shape = shape;
    this.timing = timing;
  }

  /**
   * Runs it.
   *
   * @throws IllegalStateException if a call fails, no task completes the cycle, or a claimed task
   *     was not inserted
   * @throws io.entroq.load.LoadException if callers hang
   */
  Measured run(LoadTarget queue) {
    LoadConfig config =
        new LoadConfig(
            timing.warmUp(),
            timing.measured(),
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
          result.balance().unknown() + " claimed tasks were not inserted by this measurement");
    }
    if (result.totals().measuredTasks() == 0) {
      throw new IllegalStateException(
          "no task went through within %d ms; %s"
              .formatted(timing.measured().toMillis(), result.balance()));
    }
    Percentiles cycles = result.latencies().get(Operation.CYCLE);
    return new Measured(result.tasksPerSecond(), cycles.p50(), cycles.p99(), result.balance());
  }
}
