package io.entroq.perf.engine;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.Engines;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures for how long commands stand still when the state is frozen, and how long they take while
 * a snapshot is written and while none is, in one run over several snapshots.
 */
@Command(
    name = "SnapshotPause",
    description = "Pauses and latencies of commands while snapshots are written.",
    mixinStandardHelpOptions = true)
public final class SnapshotPause implements Callable<Integer> {
  private static final double NS_PER_US = 1e3;
  private static final double MIB = 1 << 20;

  @Option(names = "--tasks", description = "How many are pending (${DEFAULT-VALUE}).")
  private long tasks = 1_000_000;

  @Option(names = "--value-bytes", description = "How long values are (${DEFAULT-VALUE}).")
  private int valueBytes = 32;

  @Option(names = "--snapshots", description = "How many count (${DEFAULT-VALUE}).")
  private int snapshots = 10;

  @Option(names = "--interval-seconds", description = "Time between them (${DEFAULT-VALUE}).")
  private int intervalSeconds = 10;

  @Option(names = "--directory", description = "Where the data is; by default temporary.")
  private Path directory;

  private SnapshotPause() {}

  /** Runs the measurement. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new SnapshotPause()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Report report =
        new Report(SnapshotPause.class)
            .setting("tasks", tasks)
            .setting("valueBytes", valueBytes)
            .setting("snapshots", snapshots)
            .setting("intervalSeconds", intervalSeconds)
            .setting("durability", "os");
    report.begin();
    try (ScratchDirectory scratch = ScratchDirectory.of(Optional.ofNullable(directory));
        EmbeddedEntroQ queue =
            Engines.openWithSnapshots(
                scratch.resolve("data"), Duration.ofSeconds(intervalSeconds))) {
      Report.note("inserting %,d tasks", tasks);
      new Backlog(queue, SnapshotWatch.INBOX, valueBytes).growTo(tasks);
      measure(new SnapshotWatch(queue), report);
    }
    report.end();
    return 0;
  }

  private void measure(SnapshotWatch watch, Report report) {
    // The first may have been begun while there were fewer tasks; the second warms up.
    watch.runToNextSnapshot();
    watch.runToNextSnapshot();
    watch.forget();
    Table table =
        new Table("snapshot", "pause, us", "written in, ms", "MiB", "p99.9 meanwhile, us", "max");
    double pauseMaxUs = 0;
    for (int i = 1; i <= snapshots; i++) {
      SnapshotWatch.Seen seen = watch.runToNextSnapshot();
      double pauseUs = seen.figures().pauseNs() / NS_PER_US;
      pauseMaxUs = Math.max(pauseMaxUs, pauseUs);
      table.row(
          i,
          pauseUs,
          seen.figures().writeMs(),
          seen.figures().bytes() / MIB,
          us(seen.meanwhile(), 99.9),
          us(seen.meanwhile(), 100));
    }
    table.print();
    report.figure("pauseMaxUs", pauseMaxUs);
    tell(watch, report);
  }

  private static void tell(SnapshotWatch watch, Report report) {
    Table table = new Table("commands, us", "commands", "p50", "p99", "p99.9", "max");
    row(table, report, "while a snapshot is written", "meanwhile", watch.meanwhile());
    row(table, report, "while none is", "otherwise", watch.otherwise());
    table.print();
  }

  private static void row(
      Table table, Report report, String name, String key, Histogram latencies) {
    table.row(
        name,
        latencies.getTotalCount(),
        us(latencies, 50),
        us(latencies, 99),
        us(latencies, 99.9),
        us(latencies, 100));
    report
        .figure(key + "Commands", latencies.getTotalCount())
        .figure(key + "P99Us", us(latencies, 99))
        .figure(key + "P999Us", us(latencies, 99.9))
        .figure(key + "MaxUs", us(latencies, 100));
  }

  private static double us(Histogram latencies, double percentile) {
    return latencies.getValueAtPercentile(percentile) / NS_PER_US;
  }
}
