package io.entroq.perf;

import io.entroq.perf.process.JavaProcess;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs benchmarks of two builds in turns, and compares their rates round by round. */
@Command(
    name = "BuildComparison",
    description = "Runs benchmarks of two builds in turns, and compares their rates.")
public final class BuildComparison extends BenchmarkCommand {
  /** Rates in the line of JSON that a benchmark ends with. Their names have several words. */
  private static final Pattern RATE =
      Pattern.compile(
          "\"([^\"]* [^\"]*)\":\\{(?:\"tasksPerSecond\":\\{)?\"min\":[^,]+,\"median\":([0-9.E]+)");

  /** The line of medians of {@link io.entroq.perf.cycle.CycleShare}. */
  private static final Pattern CYCLES =
      Pattern.compile("median +engine cycles +([0-9,]+)/s .* ([0-9,]+)/s +share ([0-9.]+)");

  @SuppressWarnings("ImmutableEnumChecker") // The lists are of List.of.
  enum Part {
    CYCLE("cycle.CycleShare", List.of("15"), List.of("5", "100000")),
    CALLERS(
        "callers.CallerScale",
        List.of("--rounds", "5"),
        List.of("--rounds", "2", "--warm-up-rounds", "2", "--seconds", "0.6")),
    SERVED(
        "served.ServedQueue",
        List.of("--parts", "unary,stream,batches", "--rounds", "5"),
        List.of("--parts", "unary,batches", "--rounds", "2", "--warm-ups", "6"));

    private final String main;
    private final List<String> args;
    private final List<String> quickArgs;

    Part(String main, List<String> args, List<String> quickArgs) {
      this.main = "io.entroq.perf." + main;
      this.args = args;
      this.quickArgs = quickArgs;
    }
  }

  @Option(names = "--before", required = true, description = "The benchmarks.jar of one build.")
  private Path before;

  @Option(names = "--after", required = true, description = "The benchmarks.jar of the other.")
  private Path after;

  @Option(names = "--parts", split = ",", description = "${COMPLETION-CANDIDATES}. Default: all.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(names = "--rounds", description = "Measurements of each build (${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(names = "--quick", description = "Measures less, for orders of magnitude.")
  private boolean isQuick;

  private final Map<String, List<Double>> beforeRates = new LinkedHashMap<>();
  private final Map<String, List<Double>> afterRates = new LinkedHashMap<>();

  private BuildComparison() {}

  public static void main(String[] args) {
    run(new BuildComparison(), args);
  }

  @Override
  protected void measure(Report report) throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      for (Part part : parts) {
        Report.note("round %d: %s", round, part);
        if (round % 2 == 0) {
          measure(part, before, beforeRates);
          measure(part, after, afterRates);
        } else {
          measure(part, after, afterRates);
          measure(part, before, beforeRates);
        }
      }
    }
    print(report);
  }

  private void measure(Part part, Path jar, Map<String, List<Double>> rates)
      throws IOException, InterruptedException {
    List<String> command =
        JavaProcess.command(
            jar.toString(), List.of("-Xmx1g"), part.main, isQuick ? part.quickArgs : part.args);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    int before = rates.values().stream().mapToInt(List::size).sum();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(line -> read(line, rates));
    }
    int status = process.waitFor();
    if (status != 0 || rates.values().stream().mapToInt(List::size).sum() == before) {
      throw new IOException(String.join(" ", command) + " ended with status " + status);
    }
  }

  private static void read(String line, Map<String, List<Double>> rates) {
    Matcher cycles = CYCLES.matcher(line);
    if (cycles.find()) {
      add(rates, "engine cycles/s", cycles.group(1));
      add(rates, "bare appends of a cycle/s", cycles.group(2));
      add(rates, "share of bare appends", cycles.group(3));
    }
    if (line.startsWith("{")) {
      Matcher rate = RATE.matcher(line);
      while (rate.find()) {
        add(rates, rate.group(1), rate.group(2));
      }
    }
  }

  private static void add(Map<String, List<Double>> rates, String name, String number) {
    rates
        .computeIfAbsent(name, key -> new ArrayList<>())
        .add(Double.parseDouble(number.replace(",", "")));
  }

  private void print(Report report) {
    Table table =
        new Table(
            "medians of rounds", "before", "after", "after to before, least", "median", "greatest");
    beforeRates.forEach(
        (name, old) -> {
          List<Double> now = afterRates.getOrDefault(name, List.of());
          if (now.size() == old.size()) {
            double oldMedian = Spread.of(old, rate -> rate).median();
            double newMedian = Spread.of(now, rate -> rate).median();
            Spread ratio = Spread.ofRatios(now, old);
            table.row(name, oldMedian, newMedian, ratio);
            report.figure(
                name, Map.of("before", oldMedian, "after", newMedian, "ratio", ratio.toMap()));
          }
        });
    table.print();
  }
}
