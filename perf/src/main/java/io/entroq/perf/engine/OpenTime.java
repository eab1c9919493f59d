package io.entroq.perf.engine;

import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the time from opening a directory to the first claim that is answered, in a JVM that has
 * opened others before. The directory has a snapshot of a backlog and a tail of log behind it; the
 * system has its files in memory, as after a restart of the process.
 */
@Command(
    name = "OpenTime",
    description = "From opening a directory to the first claim that is answered.",
    mixinStandardHelpOptions = true)
public final class OpenTime implements Callable<Integer> {
  private static final int SMALL_TASKS = 1_000;

  @Option(names = "--tasks", description = "How many are pending (${DEFAULT-VALUE}).")
  private long tasks = 1_000_000;

  @Option(names = "--value-bytes", description = "How long values are (${DEFAULT-VALUE}).")
  private int valueBytes = 32;

  @Option(names = "--tail-mib", description = "Log behind the snapshot, MiB (${DEFAULT-VALUE}).")
  private int tailMib = 64;

  @Option(names = "--rounds", description = "Openings that count (${DEFAULT-VALUE}).")
  private int rounds = 11;

  @Option(names = "--warm-up-rounds", description = "Openings before them (${DEFAULT-VALUE}).")
  private int warmUpRounds = 3;

  @Option(
      names = "--small-rounds",
      description = "Openings of a small directory before those (${DEFAULT-VALUE}).")
  private int smallRounds = 20;

  @Option(names = "--directory", description = "Where the data is; by default temporary.")
  private Path directory;

  private OpenTime() {}

  /** Runs the measurement. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new OpenTime()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Report report = report();
    report.begin();
    try (ScratchDirectory scratch = ScratchDirectory.of(Optional.ofNullable(directory))) {
      OpenedDirectory small = new OpenedDirectory(scratch.resolve("small"));
      OpenedDirectory large = new OpenedDirectory(scratch.resolve("large"));
      small.prepare(SMALL_TASKS, valueBytes, 0);
      Report.note("preparing %,d tasks and %d MiB of log behind their snapshot", tasks, tailMib);
      large.prepare(tasks, valueBytes, (long) tailMib << 20);
      List<Opening> ofSmall = open(small, smallRounds);
      open(large, warmUpRounds);
      List<Opening> ofLarge = open(large, rounds);
      tell(ofLarge, ofSmall.subList(smallRounds / 2, smallRounds), report);
    }
    report.end();
    return 0;
  }

  private Report report() {
    return new Report(OpenTime.class)
        .setting("tasks", tasks)
        .setting("valueBytes", valueBytes)
        .setting("tailMib", tailMib)
        .setting("rounds", rounds)
        .setting("warmUpRounds", warmUpRounds)
        .setting("smallRounds", smallRounds)
        .setting("files", "in the page cache");
  }

  private static List<Opening> open(OpenedDirectory directory, int times) throws IOException {
    List<Opening> openings = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      openings.add(directory.openOnce());
    }
    return openings;
  }

  private static void tell(List<Opening> openings, List<Opening> ofSmall, Report report) {
    Map<String, Spread> rows = new LinkedHashMap<>();
    rows.put("open", spread(openings, Opening::openMs));
    rows.put("first claim", spread(openings, Opening::claimMs));
    rows.put("open to first claim", spread(openings, Opening::totalMs));
    rows.put("close", spread(openings, Opening::closeMs));
    rows.put("open to first claim with 1,000 tasks", spread(ofSmall, Opening::totalMs));
    Table table = new Table("ms", "least", "median", "greatest");
    rows.forEach((name, ms) -> table.row(name, ms.least(), ms.median(), ms.greatest()));
    rows.forEach((name, ms) -> report.figure(name + ", ms", ms.toMap()));
    table.print();
  }

  private static Spread spread(List<Opening> openings, ToDoubleFunction<Opening> value) {
    return Spread.of(openings.stream().mapToDouble(value).toArray());
  }
}
