package io.entroq.simulator.planted;

import io.entroq.simulator.world.Simulation;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Runs one default world; loaded together with the planted bug. */
public final class WorldRun implements Function<Map<String, String>, Map<String, String>> {

  /**
   * Runs it.
   *
   * @param terms its {@code seed}, {@code hours} and {@code members}, and {@code leftNs}: after how
   *     many nanoseconds of processor time it ends in any case
   * @return how many {@code hours} have passed in it, and if something was broken the {@code
   *     invariant} and a {@code detail}
   */
  @Override
  public Map<String, String> apply(Map<String, String> terms) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long endNs = threads.getCurrentThreadCpuTime() + Long.parseLong(terms.get("leftNs"));
    WorldConfig config =
        WorldConfig.of(Long.parseLong(terms.get("seed")))
            .withHours(Double.parseDouble(terms.get("hours")))
            .withMembers(Integer.parseInt(terms.get("members")));
    SimulationReport report =
        Simulation.run(config, sofar -> threads.getCurrentThreadCpuTime() < endNs);
    Map<String, String> outcome = new HashMap<>();
    outcome.put("hours", Double.toString(report.hours()));
    report
        .failure()
        .ifPresent(
            failure -> {
              outcome.put("invariant", failure.invariant());
              outcome.put("detail", failure.detail());
            });
    return outcome;
  }
}
