package io.entroq.simulator.cli;

import io.entroq.simulator.world.Shrinker;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Searches for the smallest world with the same violation. Used once, by one thread. */
final class Shrinking {
  private static final int WORLDS_MAX = 200;
  private static final long NS_MAX = Duration.ofMinutes(5).toNanos();

  private final WorldRunner worlds;
  private final SimView view;
  private final BooleanSupplier isInterrupted;
  private final long startNs = System.nanoTime();
  private SimulationReport smallest;
  private int tried;

  /** The last world, once time has run out; null before. */
  private SimulationReport stopped;

  Shrinking(WorldRunner worlds, SimView view, BooleanSupplier isInterrupted) {
    this.worlds = worlds;
    this.view = view;
    this.isInterrupted = isInterrupted;
  }

  /**
   * Tries smaller worlds while that helps and time remains.
   *
   * @param failed the report with the violation
   */
  SimulationReport smallest(SimulationReport failed) {
    smallest = failed;
    return new Shrinker(this::run, WORLDS_MAX).shrink(failed);
  }

  private SimulationReport run(WorldConfig world) {
    if (stopped != null) {
      // This world violates nothing, so the search ends.
      return stopped;
    }
    SimulationReport report = worlds.run(world, soFar -> shouldContinue());
    tried++;
    if (report.hasSameFailure(smallest)) {
      smallest = report;
    } else if (isOver()) {
      stopped = report;
    }
    return report;
  }

  private boolean shouldContinue() {
    view.shrinking(tried, smallest.config());
    return !isOver();
  }

  private boolean isOver() {
    return isInterrupted.getAsBoolean() || System.nanoTime() - startNs > NS_MAX;
  }
}
