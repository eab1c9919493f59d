package io.entroq.simulator.planted;

import io.entroq.simulator.world.ProgressListener;
import io.entroq.simulator.world.Simulation;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** One simulated world of ordinary configuration; loaded together with the planted bug. */
public final class WorldRun implements Function<Map<String, String>, Map<String, String>> {
  /** How many hours have passed in it, and which invariant was broken, if one was. */
  @Override
  public Map<String, String> apply(Map<String, String> terms) {
    WorldConfig config =
        WorldConfig.of(Long.parseLong(terms.get("seed")))
            .withHours(Double.parseDouble(terms.get("hours")));
    SimulationReport report = Simulation.run(config, ProgressListener.NONE);
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
