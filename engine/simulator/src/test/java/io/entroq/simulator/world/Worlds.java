package io.entroq.simulator.world;

import static org.junit.jupiter.api.Assertions.fail;

import io.entroq.simulator.fault.FaultKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.concurrent.TimeUnit;

/** Runs worlds one after the other on a thread. */
final class Worlds implements Runnable, ProgressListener {
  private final long endNs;
  private final double hoursEach;
  private final PrimitiveIterator.OfLong next;
  private final Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
  private final StringBuilder seeds = new StringBuilder();
  private double hours;
  private long requests;

  /**
   * @param seconds after which the last one ends
   * @param hoursEach how much time passes in each before the next begins
   * @param next the seeds; no worlds follow the last one
   */
  Worlds(long seconds, double hoursEach, PrimitiveIterator.OfLong next) {
    this.endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    this.hoursEach = hoursEach;
    this.next = next;
  }

  @Override
  public void run() {
    while (System.nanoTime() < endNs && next.hasNext()) {
      long seed = next.nextLong();
      seeds.append(' ').append(seed);
      SimulationReport report = Simulation.run(WorldConfig.of(seed).withHours(hoursEach), this);
      hours += report.hours();
      requests += report.requests();
      report.faults().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
      report.failure().ifPresent(failure -> fail(describe(report, failure), failure.cause()));
    }
  }

  private static String describe(SimulationReport report, Failure failure) {
    return "%s%nat step %d, %f h%n%s%n%s"
        .formatted(
            report.config().flags(),
            failure.step(),
            failure.hours(),
            failure.detail(),
            String.join("\n", failure.lastCommands()));
  }

  @Override
  public boolean onProgress(SimulationReport soFar) {
    return System.nanoTime() < endNs;
  }

  Map<FaultKind, Long> faults() {
    return faults;
  }

  double hours() {
    return hours;
  }

  @Override
  public String toString() {
    return "%.2f simulated hours, %,d requests, seeds%s, %s"
        .formatted(hours, requests, seeds, faults);
  }
}
