package io.entroq.perf.callers;

import io.entroq.api.Durability;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.load.LoadListener;
import io.entroq.load.LoadResult;
import io.entroq.load.LoadRun;
import io.entroq.load.Operation;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what one caller, 8 and 32 get from an engine with a thread of its own, at {@code os} and
 * at {@code disk}, one task at a time and in batches; load by load in turns, round after round in
 * one run. Beside them, as the ceiling at {@code disk}, a record written to a file and forced. Each
 * run of each load accounts for every task.
 */
@Command(
    name = "CallerScale",
    description = "Throughput and latency of callers, alone and together, at os and disk.",
    mixinStandardHelpOptions = true)
public final class CallerScale implements Callable<Integer> {
  private static final int BATCH = 100;

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

  @Option(names = "--value-bytes", description = "How long values are (${DEFAULT-VALUE}).")
  private int valueBytes = 128;

  @Option(names = "--directory", description = "Where the logs are; by default temporary.")
  private Path directory;

  private final Map<CallerLoad, List<LoadResult>> results = new LinkedHashMap<>();
  private final List<Double> forces = new ArrayList<>();

  private CallerScale() {}

  /** Runs the measurement. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new CallerScale()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    OptionRange.require("--rounds", rounds, 1, 1_000);
    OptionRange.require("--warm-up-rounds", warmUpRounds, 0, 1_000);
    OptionRange.require("--seconds", seconds, 0.01, 3_600);
    Report report =
        new Report(CallerScale.class)
            .setting("valueBytes", valueBytes)
            .setting("rounds", rounds)
            .setting("warmUpRounds", warmUpRounds)
            .setting("seconds", seconds);
    report.begin();
    try (ScratchDirectory scratch = ScratchDirectory.of(Optional.ofNullable(directory));
        EmbeddedEntroQ os = open(scratch, Durability.OS);
        EmbeddedEntroQ disk = open(scratch, Durability.DISK);
        ForcedWrites bare = new ForcedWrites(scratch.resolve("bare"))) {
      for (int round = -warmUpRounds; round < rounds; round++) {
        round(round, os, disk, bare);
      }
    }
    tell(report);
    report.end();
    return 0;
  }

  private static EmbeddedEntroQ open(ScratchDirectory scratch, Durability level) {
    Path data = scratch.resolve(level.name());
    return EmbeddedEntroQ.open(EmbeddedConfig.in(data).durability(level).build());
  }

  private void round(int round, EmbeddedEntroQ os, EmbeddedEntroQ disk, ForcedWrites bare)
      throws IOException {
    double forced = bare.perSecond(seconds / 2);
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
        throw new IllegalStateException(load.describe() + " went wrong: " + result);
      }
      if (round >= 0) {
        results.computeIfAbsent(load, key -> new ArrayList<>()).add(result);
      }
      Report.note("round %d: %s: %,.0f tasks/s", round, load.describe(), result.tasksPerSecond());
    }
  }

  private void tell(Report report) {
    Spread bare = Spread.of(forces.stream().mapToDouble(Double::doubleValue).toArray());
    Table rates = new Table("tasks through the cycle, /s", "least", "median", "greatest");
    Table latencies = new Table("one command, us (medians)", "p50", "p99", "p99.9");
    rates.row(
        "ceiling: a third of bare forces",
        bare.least() / 3,
        bare.median() / 3,
        bare.greatest() / 3);
    for (CallerLoad load : LOADS) {
      Spread rate = spread(load, LoadResult::tasksPerSecond);
      rates.row(load.describe(), rate.least(), rate.median(), rate.greatest());
      report.figure(load.describe() + ", tasks/s", rate.toMap());
      for (Operation operation : List.of(Operation.INSERT, Operation.CLAIM, Operation.DELETE)) {
        Spread p50 = spread(load, result -> result.latencies().get(operation).p50());
        Spread p99 = spread(load, result -> result.latencies().get(operation).p99());
        Spread p999 = spread(load, result -> result.latencies().get(operation).p999());
        String name = load.describe() + ", " + operation.name().toLowerCase(Locale.ROOT);
        latencies.row(name, p50.median(), p99.median(), p999.median());
        report.figure(name + ", us", Map.of("p50", p50.median(), "p99", p99.median()));
      }
    }
    rates.print();
    latencies.print();
    Spread together = ratio(OS_EIGHT, OS_ONE);
    Spread share = shareOfForces();
    Table ratios = new Table("in the same round", "least", "median", "greatest");
    ratios.row(
        "8 callers to 1, os",
        text(together.least()),
        text(together.median()),
        text(together.greatest()));
    ratios.row(
        "1 caller at disk to the ceiling",
        text(share.least()),
        text(share.median()),
        text(share.greatest()));
    ratios.print();
    report
        .figure("forces of one record/s", bare.toMap())
        .figure("8 callers to 1, os", together.toMap())
        .figure("1 caller at disk to a third of bare forces", share.toMap());
  }

  private Spread spread(CallerLoad load, ToDoubleFunction<LoadResult> value) {
    return Spread.of(results.get(load).stream().mapToDouble(value).toArray());
  }

  private Spread ratio(CallerLoad load, CallerLoad other) {
    double[] ratios = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      ratios[i] =
          results.get(load).get(i).tasksPerSecond() / results.get(other).get(i).tasksPerSecond();
    }
    return Spread.of(ratios);
  }

  private Spread shareOfForces() {
    double[] shares = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      shares[i] = results.get(DISK_ONE).get(i).tasksPerSecond() * 3 / forces.get(i);
    }
    return Spread.of(shares);
  }

  private static String text(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }
}
