package io.entroq.perf.claim;

import io.entroq.api.EntroQ;
import io.entroq.perf.fixture.Engines;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that both comparisons share. */
abstract class ScaleCommand extends BenchmarkCommand {
  @Option(names = "--rounds", description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds = 21;

  @Option(names = "--warm-up-rounds", description = "Rounds before them (${DEFAULT-VALUE}).")
  private int warmUpRounds = 5;

  @Option(names = "--claims", description = "Claims of a side in a round (${DEFAULT-VALUE}).")
  private int claims = 20_000;

  @Option(names = "--value-bytes", description = "Length of values (${DEFAULT-VALUE}).")
  private int valueBytes = 32;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  final int valueBytes() {
    return valueBytes;
  }

  final ScratchDirectory scratch() {
    return scratch;
  }

  /** Opens an engine with default settings, except that it takes no snapshots. */
  final EntroQ openEngine(String name) {
    return Engines.openWithoutSnapshots(scratch.resolve(name));
  }

  final void compare(List<ClaimSide> sides, Report report) {
    ClaimComparison comparison = new ClaimComparison(sides, rounds);
    comparison.run(warmUpRounds, claims);
    comparison.print(report);
  }
}
