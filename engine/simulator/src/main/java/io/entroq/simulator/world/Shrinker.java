package io.entroq.simulator.world;

import io.entroq.simulator.fault.FaultKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Reduces a failing world as long as it violates the same invariant: less time, fewer faults, fewer
 * clients.
 */
public final class Shrinker {
  /** A smaller world may take longer to fail, by this factor at most. */
  private static final int SLACK = 2;

  /** Shorter worlds are not worth shrinking, and with few clients little happens in them. */
  private static final double HOURS_MIN = 0.01;

  private final Function<WorldConfig, SimulationReport> runner;
  private final int triesMax;
  private int tries;

  /**
   * @param runner runs a world to its end or to its first violation
   * @param triesMax how many worlds it runs at most
   */
  public Shrinker(Function<WorldConfig, SimulationReport> runner, int triesMax) {
    this.runner = runner;
    this.triesMax = triesMax;
  }

  /**
   * Looks for a smaller world with the same failure.
   *
   * @param failed the report of a world with a failure
   * @return the report of the smallest world found; the given one if there is none
   */
  public SimulationReport shrink(SimulationReport failed) {
    SimulationReport smallest = cutTo(Math.max(HOURS_MIN, SLACK * failed.hours()), failed);
    SimulationReport before;
    do {
      before = smallest;
      smallest = withFewerFaults(withFewerClients(inLessTime(smallest)));
    } while (!smallest.equals(before) && tries < triesMax);
    return cutTo(Math.nextUp(smallest.hours()), smallest);
  }

  /** The same world, ended right after the failure: what comes later has no effect. */
  private SimulationReport cutTo(double hours, SimulationReport failed) {
    return hours > 0 && hours < failed.config().hours()
        ? orElse(failed.config().withHours(hours), failed)
        : failed;
  }

  /**
   * A failure found by the final checks may have existed for long. Then it is also found if the
   * faults end earlier.
   */
  private SimulationReport inLessTime(SimulationReport failed) {
    boolean isOver = failed.failure().orElseThrow().hours() >= failed.config().hours();
    return isOver ? halved(Shrinker::halfTheTime, failed) : failed;
  }

  private static WorldConfig halfTheTime(WorldConfig config) {
    double hours = config.hours() / 2;
    return hours < HOURS_MIN ? config : config.withHours(hours);
  }

  private SimulationReport withFewerClients(SimulationReport failed) {
    return halved(config -> config.withClients(Math.max(1, config.clients() / 2)), failed);
  }

  /** Halves something repeatedly while the failure remains. */
  private SimulationReport halved(UnaryOperator<WorldConfig> half, SimulationReport failed) {
    SimulationReport smallest = failed;
    SimulationReport before;
    do {
      before = smallest;
      smallest = orElse(half.apply(before.config()), before);
    } while (!smallest.equals(before));
    return smallest;
  }

  /** Leaves out half of the fault kinds, then quarters, down to single kinds. */
  private SimulationReport withFewerFaults(SimulationReport failed) {
    SimulationReport smallest = failed;
    for (int size = failed.config().faults().size(); size > 0; size /= 2) {
      for (List<FaultKind> part : parts(smallest.config().faults(), size)) {
        Set<FaultKind> rest = EnumSet.noneOf(FaultKind.class);
        rest.addAll(smallest.config().faults());
        rest.removeAll(part);
        smallest = orElse(smallest.config().withFaults(rest), smallest);
      }
    }
    return smallest;
  }

  private static List<List<FaultKind>> parts(Set<FaultKind> kinds, int size) {
    List<FaultKind> all = new ArrayList<>(kinds);
    List<List<FaultKind>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      parts.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return parts;
  }

  /** The report of a smaller world if it has the same failure, else the given one. */
  private SimulationReport orElse(WorldConfig config, SimulationReport smallest) {
    if (tries >= triesMax || config.equals(smallest.config())) {
      return smallest;
    }
    tries++;
    SimulationReport report = runner.apply(config);
    return report.hasSameFailure(smallest) ? report : smallest;
  }
}
