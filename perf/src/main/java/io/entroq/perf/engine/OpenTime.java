package io.entroq.perf.engine;

import io.entroq.perf.engine.OpenedDirectory.Opening;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the time from opening a directory to the first answered claim, in a warm JVM. The
 * directory has a snapshot of a backlog, and a log tail. Its files are in the page cache, as after
 * a restart of the process.
 */
@Command(
    name = "OpenTime",
    description = "Measures the time from opening a directory to the first answered claim.")
public final class OpenTime extends BenchmarkCommand {
  private static final int SMALL_TASKS = 1_000;

  @Option(names = "--tasks", description = "Pending tasks (${DEFAULT-VALUE}).")
  private long tasks = 1_000_000;

  @Option(names = "--value-bytes", description = "Length of values (${DEFAULT-VALUE}).")
  private int valueBytes = 32;

  @Option(names = "--tail-mib", description = "MiB of log after the snapshot (${DEFAULT-VALUE}).")
  private int tailMib = 64;

  @Option(names = "--rounds", description = "Openings that count (${DEFAULT-VALUE}).")
  private int rounds = 11;

  @Option(names = "--warm-up-rounds", description = "Openings before them (${DEFAULT-VALUE}).")
  private int warmUpRounds = 3;

  @Option(
      names = "--small-rounds",
      description = "Openings of a small directory before those (${DEFAULT-VALUE}).")
  private int smallRounds = 20;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private OpenTime() {}

  public static void main(String[] args) {
    run(new OpenTime(), args);
  }

  @Override
  protected void measure(Report report) throws IOException {
    try (scratch) {
      OpenedDirectory small = new OpenedDirectory(scratch.resolve("small"));
      OpenedDirectory large = new OpenedDirectory(scratch.resolve("large"));
      small.prepare(SMALL_TASKS, valueBytes, 0);
      Report.note("preparing %,d tasks and %d MiB of log after their snapshot", tasks, tailMib);
      large.prepare(tasks, valueBytes, (long) tailMib << 20);
      List<Opening> ofSmall = open(small, smallRounds);
      open(large, warmUpRounds);
      List<Opening> ofLarge = open(large, rounds);
      print(ofLarge, ofSmall.subList(smallRounds / 2, smallRounds), report);
    }
  }

  private static List<Opening> open(OpenedDirectory directory, int times) throws IOException {
    List<Opening> openings = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      openings.add(directory.openOnce());
    }
    return openings;
  }

  private static void print(List<Opening> openings, List<Opening> ofSmall, Report report) {
    Map<String, Spread> rows = new LinkedHashMap<>();
    rows.put("open", Spread.of(openings, Opening::openMs));
    rows.put("first claim", Spread.of(openings, Opening::claimMs));
    rows.put("open to first claim", Spread.of(openings, Opening::totalMs));
    rows.put("close", Spread.of(openings, Opening::closeMs));
    rows.put("open to first claim with 1,000 tasks", Spread.of(ofSmall, Opening::totalMs));
    Table table = new Table("ms", "least", "median", "greatest");
    rows.forEach((name, ms) -> table.row(name, ms));
    rows.forEach((name, ms) -> report.figure(name + ", ms", ms.toMap()));
    table.print();
  }
}
