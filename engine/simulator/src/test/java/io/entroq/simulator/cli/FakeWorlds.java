package io.entroq.simulator.cli;

import io.entroq.simulator.check.Violation;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.world.Failure;
import io.entroq.simulator.world.ProgressListener;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * WorldRunner in which nothing happens but this: with power lost and two clients or more,
 * no-phantom is violated after half an hour. They tell how far they are every tenth of an hour.
 */
final class FakeWorlds implements WorldRunner {
  private static final long TENTHS_OK = 5;
  private static final long NS_PER_TENTH = 360_000_000_000L;

  private int begun;

  @Override
  public SimulationReport run(WorldConfig config, ProgressListener listener) {
    begun++;
    boolean isBad = config.clients() > 1 && config.faults().contains(FaultKind.POWER_LOST);
    for (long tenths = 1; tenths < 10 * config.hours(); tenths++) {
      if (isBad && tenths > TENTHS_OK) {
        return report(config, tenths / 10.0, Optional.of(failure(tenths)));
      }
      SimulationReport soFar = report(config, tenths / 10.0, Optional.empty());
      if (!listener.onProgress(soFar)) {
        return soFar;
      }
    }
    return report(config, config.hours(), Optional.empty());
  }

  private static SimulationReport report(
      WorldConfig config, double hours, Optional<Failure> failure) {
    long steps = (long) (hours * 1_000);
    return new SimulationReport(
        config,
        hours,
        steps,
        2 * steps,
        3 * steps,
        Map.of(FaultKind.POWER_LOST, 4L, FaultKind.REQUEST_LOST, 5L),
        "%016x".formatted(config.seed()),
        failure);
  }

  private static Failure failure(long tenths) {
    return new Failure(
        100 * tenths,
        NS_PER_TENTH * tenths + 5,
        "no-phantom",
        "task 17",
        "expected: none, actual: version 3",
        List.of("record 12: Claim", "record 13: Modify"),
        new Violation("no-phantom", "task 17", "none", "version 3"));
  }

  /** How many have been begun. */
  int begun() {
    return begun;
  }
}
