package io.entroq.perf.callers;

import io.entroq.api.Durability;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.load.LoadListener;
import io.entroq.load.LoadResult;
import io.entroq.load.LoadRun;
import io.entroq.load.Operation;
import io.entroq.load.Percentiles;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures 1, 8 and 32 callers of an engine with a thread of its own, at {@code os} and at {@code
 * disk}, one task at a time and in batches. The loads take turns, round after round, and each run
 * accounts for every task. The ceiling at {@code disk} is a file that is forced after each record.
 */
@Command(
    name = "CallerScale",
    description = "Measures throughput and latency of callers, alone and together.")
public final class CallerScale extends BenchmarkCommand {
  private static final int BATCH = 100;
  private static final double FORCES_PER_CYCLE = 3;

  private static final CallerLoad OS_ONE = new CallerLoad(Durability.OS, 1, 1);
  private static final CallerLoad OS_EIGHT = new CallerLoad(Durability.OS, 8, 1);
  private static final CallerLoad DISK_ONE = new CallerLoad(Durability.DISK, 1, 1);

  private static final List<CallerLoad> LOADS =
      List.of(
          OS_ONE,
          OS_EIGHT,
          new CallerLoad(Durability.OS, 32, 1),
          new CallerLoad(Durability.OS, 8, BATCH),
          DISK_ONE,
          new CallerLoad(Durability.DISK, 8, 1),
          new CallerLoad(Durability.DISK, 32, 1),
          new CallerLoad(Durability.DISK, 8, BATCH));

  @Option(names = "--rounds", description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds = 7;

  @Option(names = "--warm-up-rounds", description = "Rounds before them (${DEFAULT-VALUE}).")
  private int warmUpRounds = 3;

  @Option(names = "--seconds", description = "Seconds of a load in a round (${DEFAULT-VALUE}).")
  private double seconds = 1.5;

  @Option(names = "--value-bytes", description = "Length of values (${DEFAULT-VALUE}).")
  private int valueBytes = 128;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private final Map<CallerLoad, List<LoadResult>> results = new LinkedHashMap<>();
  private final List<Double> forces = new ArrayList<>();

  private CallerScale() {}

  public static void main(String[] args) {
    run(new CallerScale(), args);
  }

  @Override
  protected void measure(Report report) throws IOException {
    OptionRange.require("--rounds", rounds, 1, 1_000);
    OptionRange.require("--warm-up-rounds", warmUpRounds, 0, 1_000);
    OptionRange.require("--seconds", seconds, 0.01, 3_600);
    try (scratch;
        EmbeddedEntroQ os = open(Durability.OS);
        EmbeddedEntroQ disk = open(Durability.DISK);
        ForcedWrites forced = new ForcedWrites(scratch.resolve("bare"))) {
      for (int round = -warmUpRounds; round < rounds; round++) {
        round(round, os, disk, forced);
      }
    }
    print(report);
  }

  private EmbeddedEntroQ open(Durability level) {
    Path data = scratch.resolve(level.name());
    return EmbeddedEntroQ.open(EmbeddedConfig.in(data).durability(level).build());
  }

  private void round(int round, EmbeddedEntroQ os, EmbeddedEntroQ disk, ForcedWrites writes)
      throws IOException {
    double forced = writes.perSecond(seconds / 2);
    if (round >= 0) {
      forces.add(forced);
    }
    Report.note("round %d: %,.0f forces/s of one record", round, forced);
    for (CallerLoad load : LOADS) {
      EmbeddedEntroQ queue = load.level() == Durability.OS ? os : disk;
      LoadResult result =
          new LoadRun(load.config(seconds, valueBytes), queue, LoadListener.NONE, () -> false)
              .run();
      if (!result.isRight()) {
        throw new IllegalStateException(load.describe() + " failed: " + result);
      }
      if (round >= 0) {
        results.computeIfAbsent(load, key -> new ArrayList<>()).add(result);
      }
      Report.note("round %d: %s: %,.0f tasks/s", round, load.describe(), result.tasksPerSecond());
    }
  }

  private void print(Report report) {
    Spread bare = Spread.of(forces, rate -> rate);
    Table rates = new Table("tasks through the cycle, /s", "least", "median", "greatest");
    Table latencies = new Table("one command, us (medians)", "p50", "p99", "p99.9");
    rates.row("ceiling: a third of bare forces", bare.dividedBy(FORCES_PER_CYCLE));
    for (CallerLoad load : LOADS) {
      Spread rate = Spread.of(results.get(load), LoadResult::tasksPerSecond);
      rates.row(load.describe(), rate);
      report.figure(load.describe() + ", tasks/s", rate.toMap());
      for (Operation operation : List.of(Operation.INSERT, Operation.CLAIM, Operation.DELETE)) {
        double p50 = median(load, operation, Percentiles::p50);
        double p99 = median(load, operation, Percentiles::p99);
        String name = load.describe() + ", " + operation.lower();
        latencies.row(name, p50, p99, median(load, operation, Percentiles::p999));
        report.figure(name + ", us", Map.of("p50", p50, "p99", p99));
      }
    }
    rates.print();
    latencies.print();
    Spread together = Spread.ofRatios(rates(OS_EIGHT), rates(OS_ONE));
    List<Double> ceilings = forces.stream().map(rate -> rate / FORCES_PER_CYCLE).toList();
    Spread share = Spread.ofRatios(rates(DISK_ONE), ceilings);
    new Table("in the same round", "least", "median", "greatest")
        .row("8 callers to 1, os", together)
        .row("1 caller at disk to the ceiling", share)
        .print();
    report
        .figure("forces of one record/s", bare.toMap())
        .figure("8 callers to 1, os", together.toMap())
        .figure("1 caller at disk to a third of bare forces", share.toMap());
  }

  private double median(
      CallerLoad load, Operation operation, ToDoubleFunction<Percentiles> percentile) {
    return Spread.of(
            results.get(load),
            result -> percentile.applyAsDouble(result.latencies().get(operation)))
        .median();
  }

  private List<Double> rates(CallerLoad load) {
    return results.get(load).stream().map(LoadResult::tasksPerSecond).toList();
  }
}
