package io.entroq.perf.claim;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.Engines;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What both comparisons can be told. */
final class ScaleOptions {
  @Option(names = "--rounds", description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds = 21;

  @Option(names = "--warm-up-rounds", description = "Rounds before them (${DEFAULT-VALUE}).")
  private int warmUpRounds = 5;

  @Option(names = "--claims", description = "Claims of a side in a round (${DEFAULT-VALUE}).")
  private int claims = 20_000;

  @Option(names = "--value-bytes", description = "How long values are (${DEFAULT-VALUE}).")
  private int valueBytes = 32;

  @Option(names = "--directory", description = "Where the logs are; by default temporary.")
  private Path directory;

  int valueBytes() {
    return valueBytes;
  }

  ScratchDirectory scratch() throws IOException {
    return ScratchDirectory.of(Optional.ofNullable(directory));
  }

  /** Opens an engine as most users have it, except that no snapshot comes in between. */
  EmbeddedEntroQ open(ScratchDirectory scratch, String name) {
    return Engines.openWithoutSnapshots(scratch.resolve(name));
  }

  Report begin(Report report) {
    report
        .setting("valueBytes", valueBytes)
        .setting("rounds", rounds)
        .setting("warmUpRounds", warmUpRounds)
        .setting("claims", claims)
        .setting("durability", "os");
    report.begin();
    return report;
  }

  void measure(ClaimComparison comparison) {
    comparison.run(warmUpRounds, claims);
  }

  int rounds() {
    return rounds;
  }
}
