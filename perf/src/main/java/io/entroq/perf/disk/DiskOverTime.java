package io.entroq.perf.disk;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares the bytes on disk with live data every second for an hour, while tasks come and go. It
 * exits with 1 at the first sample above the bound.
 */
@Command(
    name = "DiskOverTime",
    description = "Compares bytes on disk with live data while tasks come and go.")
public final class DiskOverTime extends BenchmarkCommand {
  private static final double MIB = 1 << 20;
  private static final int SAMPLES_PER_NOTE = 60;

  @Option(
      names = "--minutes",
      description = "Duration, without growth and drain (${DEFAULT-VALUE}).")
  private double minutes = 60;

  @Option(names = "--live", description = "Live tasks (${DEFAULT-VALUE}).")
  private int tasks = 500_000;

  @Option(names = "--value-bytes", description = "Average length of values (${DEFAULT-VALUE}).")
  private int valueBytes = 512;

  @Option(names = "--cycles", description = "Tasks replaced per second (${DEFAULT-VALUE}).")
  private int cyclesPerSecond = 20_000;

  @Option(names = "--batch", description = "Tasks replaced per command (${DEFAULT-VALUE}).")
  private int batch = 10;

  @Option(names = "--consumers", description = "Claims that wait while idle (${DEFAULT-VALUE}).")
  private int consumers = 8;

  @Option(names = "--seed", description = "Seed of random values (${DEFAULT-VALUE}).")
  private long seed = 42;

  @Option(names = "--figures", description = "Directory for CSV and plots (${DEFAULT-VALUE}).")
  private Path figures = Path.of("perf", "figures");

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private long sampleCount;

  private DiskOverTime() {}

  public static void main(String[] args) {
    run(new DiskOverTime(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    List<DiskSample> samples;
    try (scratch;
        EmbeddedEntroQ queue =
            EmbeddedEntroQ.open(EmbeddedConfig.in(scratch.resolve("data")).build())) {
      DiskWatch watch = new DiskWatch(queue, scratch.resolve("data"), 1_000, this::note);
      Churn churn = new Churn(queue, config());
      samples = watch.watch(churn);
      report
          .figure("replaced", churn.replaced())
          .figure("logBytes", queue.stats().appendedBytes())
          .figure("snapshots", queue.stats().snapshots().taken());
    }
    write(samples);
    print(samples, report);
    DiskSample last = samples.get(samples.size() - 1);
    if (!last.isWithinBound()) {
      report.fail("above the bound " + last);
    }
  }

  private ChurnConfig config() {
    Duration duration = Duration.ofMillis((long) (minutes * 60_000));
    return new ChurnConfig(tasks, valueBytes, cyclesPerSecond, batch, consumers, duration, seed);
  }

  private void note(DiskSample sample) {
    if (sampleCount++ % SAMPLES_PER_NOTE == 0) {
      Report.note("%s", sample);
    }
  }

  private void write(List<DiskSample> samples) throws IOException {
    Files.createDirectories(figures);
    DiskSample.writeCsv(samples, figures.resolve("disk-over-time.csv"));
    DiskPlot plot = new DiskPlot(samples);
    plot.drawBytes(figures.resolve("disk-over-time.svg"));
    plot.drawRatio(figures.resolve("disk-per-live.svg"));
  }

  private static void print(List<DiskSample> samples, Report report) {
    Table table = new Table("phase", "seconds", "live, MiB", "disk at most, MiB", "share of bound");
    for (Phase phase : Phase.values()) {
      List<DiskSample> inPhase = samples.stream().filter(s -> s.phase() == phase).toList();
      if (!inPhase.isEmpty()) {
        row(table, phase, inPhase);
      }
    }
    table.print();
    DiskSample worst = worst(samples);
    report
        .figure("samples", samples.size())
        .figure("shareOfBoundMax", worst.shareOfBound())
        .figure("worst", worst)
        .figure("isWithinBound", worst.isWithinBound());
  }

  private static void row(Table table, Phase phase, List<DiskSample> samples) {
    double seconds = samples.get(samples.size() - 1).seconds() - samples.get(0).seconds();
    table.row(
        phase.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        seconds,
        samples.stream().mapToLong(DiskSample::liveBytes).max().orElse(0) / MIB,
        samples.stream().mapToLong(DiskSample::diskBytes).max().orElse(0) / MIB,
        worst(samples).shareOfBound());
  }

  private static DiskSample worst(List<DiskSample> samples) {
    return samples.stream().max(Comparator.comparingDouble(DiskSample::shareOfBound)).orElseThrow();
  }
}
