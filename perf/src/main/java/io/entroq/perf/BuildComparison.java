package io.entroq.perf;

import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares two builds: runs measurements of both in turns, each in a process of its own, and prints
 * how the rates of one relate to those of the other, round by round.
 */
@Command(
    name = "BuildComparison",
    description = "Runs the measurements of two builds in turns, and compares their rates.",
    mixinStandardHelpOptions = true)
public final class BuildComparison implements Callable<Integer> {
  /** Rates in the line of JSON that a measurement ends with: those have names of several words. */
  private static final Pattern RATE =
      Pattern.compile(
          "\"([^\"]* [^\"]*)\":\\{(?:\"tasksPerSecond\":\\{)?\"min\":[^,]+,\"median\":([0-9.E]+)");

  /** The line of medians of {@link io.entroq.perf.cycle.CycleShare}. */
  private static final Pattern CYCLES =
      Pattern.compile("median +engine cycles +([0-9,]+)/s .* ([0-9,]+)/s +share ([0-9.]+)");

  /** What is measured. */
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

  @Option(names = "--after", required = true, description = "That of the other.")
  private Path after;

  @Option(names = "--parts", split = ",", description = "${COMPLETION-CANDIDATES}. Default: all.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(names = "--rounds", description = "How often both are measured (${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(names = "--quick", description = "Less of everything.")
  private boolean isQuick;

  private final Map<String, List<Double>> beforeRates = new LinkedHashMap<>();
  private final Map<String, List<Double>> afterRates = new LinkedHashMap<>();

  private BuildComparison() {}

  /** Runs the measurement. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new BuildComparison())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Report report =
        new Report(BuildComparison.class)
            .setting("before", before)
            .setting("after", after)
            .setting("rounds", rounds)
            .setting("quick", isQuick);
    report.begin();
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
    report.end();
    return 0;
  }

  private void measure(Part part, Path jar, Map<String, List<Double>> rates)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-"))
        .forEach(command::add);
    command.addAll(List.of("-Xmx1g", "-cp", jar.toString(), part.main));
    command.addAll(isQuick ? part.quickArgs : part.args);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    int before = rates.values().stream().mapToInt(List::size).sum();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
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
            Spread ratio = ratios(old, now);
            double oldMedian = Spread.of(doubles(old)).median();
            double newMedian = Spread.of(doubles(now)).median();
            table.row(
                name,
                number(oldMedian),
                number(newMedian),
                text(ratio.least()),
                text(ratio.median()),
                text(ratio.greatest()));
            report.figure(
                name, Map.of("before", oldMedian, "after", newMedian, "ratio", ratio.toMap()));
          }
        });
    table.print();
  }

  private static Spread ratios(List<Double> old, List<Double> now) {
    double[] ratios = new double[old.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = now.get(i) / old.get(i);
    }
    return Spread.of(ratios);
  }

  private static double[] doubles(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static Object number(double value) {
    return value < 100 ? text(value) : Math.round(value);
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
