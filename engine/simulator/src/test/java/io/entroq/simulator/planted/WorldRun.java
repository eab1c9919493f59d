package io.entroq.simulator.planted;

import io.entroq.simulator.world.ProgressListener;
import io.entroq.simulator.world.Simulation;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * One simulated world; loaded together with the planted bug. Of an even seed it is as busy as by
 * default; of an odd one there is little to do, so that more time, and more trouble, goes by in it.
 */
public final class WorldRun implements Function<Map<String, String>, Map<String, String>> {
  private static final int QUIET_CLIENTS = 40;
  private static final int QUIET_REQUESTS_PER_SECOND = 20;

  /** How many hours have passed in it, and which invariant was broken, if one was. */
  @Override
  public Map<String, String> apply(Map<String, String> terms) {
    long seed = Long.parseLong(terms.get("seed"));
    WorldConfig busy = WorldConfig.of(seed).withHours(Double.parseDouble(terms.get("hours")));
    WorldConfig config =
        seed % 2 == 0
            ? busy
            : busy.withClients(QUIET_CLIENTS).withRequestsPerSecond(QUIET_REQUESTS_PER_SECOND);
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
