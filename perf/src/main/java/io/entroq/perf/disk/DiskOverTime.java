package io.entroq.perf.disk;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Lets tasks come and go for an hour and sets the bytes on disk beside those that are live, every
 * second. Ends with 1 at the first sample beyond the bound.
 */
@Command(
    name = "DiskOverTime",
    description = "Bytes on disk and live bytes while tasks come and go.",
    mixinStandardHelpOptions = true)
public final class DiskOverTime implements Callable<Integer> {
  private static final double MIB = 1 << 20;
  private static final int SAMPLES_PER_NOTE = 60;

  @Option(names = "--minutes", description = "How long it takes (${DEFAULT-VALUE}).")
  private double minutes = 60;

  @Option(names = "--live", description = "How many tasks there are (${DEFAULT-VALUE}).")
  private int tasks = 500_000;

  @Option(names = "--value-bytes", description = "Their values on average (${DEFAULT-VALUE}).")
  private int valueBytes = 512;

  @Option(names = "--cycles", description = "Tasks replaced in a second (${DEFAULT-VALUE}).")
  private int cyclesPerSecond = 20_000;

  @Option(names = "--batch", description = "Tasks replaced by one command (${DEFAULT-VALUE}).")
  private int batch = 10;

  @Option(names = "--consumers", description = "Claims waiting when idle (${DEFAULT-VALUE}).")
  private int consumers = 8;

  @Option(names = "--seed", description = "Of values (${DEFAULT-VALUE}).")
  private long seed = 42;

  @Option(names = "--figures", description = "Where CSV and plots go (${DEFAULT-VALUE}).")
  private Path figures = Path.of("perf", "figures");

  @Option(names = "--directory", description = "Where the data is; by default temporary.")
  private Path directory;

  private long samples;

  private DiskOverTime() {}

  /** Runs the measurement. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new DiskOverTime()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    Report report = report();
    report.begin();
    List<DiskSample> watched;
    try (ScratchDirectory scratch = ScratchDirectory.of(Optional.ofNullable(directory));
        EmbeddedEntroQ queue =
            EmbeddedEntroQ.open(EmbeddedConfig.in(scratch.resolve("data")).build())) {
      DiskWatch watch = new DiskWatch(queue, scratch.resolve("data"), 1_000, this::note);
      Churn churn = new Churn(queue, config());
      watched = watch.watch(churn);
      report
          .figure("replaced", churn.replaced())
          .figure("logBytes", queue.stats().appendedBytes())
          .figure("snapshots", queue.stats().snapshots().taken());
    }
    write(watched);
    tell(watched, report);
    DiskSample last = watched.get(watched.size() - 1);
    if (!last.isWithinBound()) {
      System.err.println("beyond the bound " + last);
      return 1;
    }
    return 0;
  }

  private ChurnConfig config() {
    Duration duration = Duration.ofMillis((long) (minutes * 60_000));
    return new ChurnConfig(tasks, valueBytes, cyclesPerSecond, batch, consumers, duration, seed);
  }

  private Report report() {
    return new Report(DiskOverTime.class)
        .setting("minutes", minutes)
        .setting("live", tasks)
        .setting("valueBytes", valueBytes)
        .setting("cyclesPerSecond", cyclesPerSecond)
        .setting("batch", batch)
        .setting("consumers", consumers)
        .setting("seed", seed);
  }

  private void note(DiskSample sample) {
    if (samples++ % SAMPLES_PER_NOTE == 0) {
      Report.note("%s", sample);
    }
  }

  private void write(List<DiskSample> watched) throws IOException {
    Files.createDirectories(figures);
    SampleCsv.write(watched, figures.resolve("disk-over-time.csv"));
    DiskPlot plot = new DiskPlot(watched);
    plot.drawBytes(figures.resolve("disk-over-time.svg"));
    plot.drawRelation(figures.resolve("disk-per-live.svg"));
  }

  private static void tell(List<DiskSample> watched, Report report) {
    Table table = new Table("phase", "seconds", "live, MiB", "disk at most, MiB", "share of bound");
    for (Phase phase : Phase.values()) {
      List<DiskSample> inPhase = watched.stream().filter(s -> s.phase() == phase).toList();
      if (!inPhase.isEmpty()) {
        row(table, phase, inPhase);
      }
    }
    table.print();
    DiskSample worst = worst(watched);
    report
        .figure("samples", watched.size())
        .figure("shareOfBoundMax", worst.shareOfBound())
        .figure("worst", worst)
        .figure("isWithinBound", worst.isWithinBound())
        .end();
  }

  private static void row(Table table, Phase phase, List<DiskSample> samples) {
    double seconds = samples.get(samples.size() - 1).seconds() - samples.get(0).seconds();
    table.row(
        phase.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        seconds,
        samples.stream().mapToLong(DiskSample::liveBytes).max().orElse(0) / MIB,
        samples.stream().mapToLong(DiskSample::diskBytes).max().orElse(0) / MIB,
        String.format(Locale.ROOT, "%.2f", worst(samples).shareOfBound()));
  }

  private static DiskSample worst(List<DiskSample> samples) {
    return samples.stream().max(Comparator.comparingDouble(DiskSample::shareOfBound)).orElseThrow();
  }
}
