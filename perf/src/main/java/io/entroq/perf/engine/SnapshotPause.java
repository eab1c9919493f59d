package io.entroq.perf.engine;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.Engines;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how long snapshots pause the engine, and commands while one is written. */
@Command(
    name = "SnapshotPause",
    description = "Measures pauses for snapshots, and commands while snapshots are written.")
public final class SnapshotPause extends BenchmarkCommand {
  private static final double NS_PER_US = 1e3;
  private static final double MIB = 1 << 20;

  @Option(names = "--tasks", description = "Pending tasks (${DEFAULT-VALUE}).")
  private long tasks = 1_000_000;

  @Option(names = "--value-bytes", description = "Length of values (${DEFAULT-VALUE}).")
  private int valueBytes = 32;

  @Option(names = "--snapshots", description = "Snapshots that count (${DEFAULT-VALUE}).")
  private int snapshots = 10;

  @Option(names = "--interval-seconds", description = "Time between them (${DEFAULT-VALUE}).")
  private int intervalSeconds = 10;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private SnapshotPause() {}

  public static void main(String[] args) {
    run(new SnapshotPause(), args);
  }

  @Override
  protected void measure(Report report) {
    try (scratch;
        EmbeddedEntroQ queue =
            Engines.openWithSnapshots(
                scratch.resolve("data"), Duration.ofSeconds(intervalSeconds))) {
      Report.note("inserting %,d tasks", tasks);
      new Backlog(queue, SnapshotWatch.INBOX, valueBytes).growTo(tasks);
      measure(new SnapshotWatch(queue), report);
    }
  }

  private void measure(SnapshotWatch watch, Report report) {
    // The first may have begun before all tasks were inserted; the second is a warm-up.
    watch.runToNextSnapshot();
    watch.runToNextSnapshot();
    watch.reset();
    Table table =
        new Table("snapshot", "pause, us", "written in, ms", "MiB", "p99.9 meanwhile, us", "max");
    double pauseMaxUs = 0;
    for (int i = 1; i <= snapshots; i++) {
      SnapshotWatch.Snapshot snapshot = watch.runToNextSnapshot();
      double pauseUs = snapshot.stats().pauseNs() / NS_PER_US;
      pauseMaxUs = Math.max(pauseMaxUs, pauseUs);
      table.row(
          i,
          pauseUs,
          snapshot.stats().writeMs(),
          snapshot.stats().bytes() / MIB,
          LatencyTable.us(snapshot.commands(), 99.9),
          LatencyTable.us(snapshot.commands(), 100));
    }
    table.print();
    report.figure("pauseMaxUs", pauseMaxUs);
    LatencyTable.inMicros(report)
        .add("commands while a snapshot is written", watch.meanwhile())
        .add("commands while none is", watch.otherwise())
        .print();
  }
}
