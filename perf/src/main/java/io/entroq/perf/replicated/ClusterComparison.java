package io.entroq.perf.replicated;

import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Loads on our cluster and on that of the echo, in turns. */
final class ClusterComparison {
  private static final ClusterLoad SIZE = new ClusterLoad("one command", "alone", 1, true);
  private static final double BUSY_SHARE_MAX = 0.03;

  private final Members queue;
  private final Members echo;
  private final int valueBytes;
  private final Duration ofRun;
  private final List<Pair> pairs = new ArrayList<>();
  private int messageBytes;

  ClusterComparison(Members queue, Members echo, int valueBytes, Duration ofRun) {
    this.queue = queue;
    this.echo = echo;
    this.valueBytes = valueBytes;
    this.ofRun = ofRun;
  }

  void add(ClusterLoad load) {
    pairs.add(new Pair(load));
  }

  /**
   * Goes through all loads until the compilers have little to do.
   *
   * @param timesMax how often at most
   */
  void warmUp(int timesMax) throws IOException, InterruptedException {
    messageBytes = Run.of(SIZE, queue, ofRun, valueBytes).messageBytes();
    Report.note("a command alone takes as much of the log as a message of %d bytes", messageBytes);
    boolean isWarm = false;
    for (int times = 0; times < timesMax && !isWarm; times++) {
      long startNs = System.nanoTime();
      Duration compiled = compileTime();
      for (Pair pair : pairs) {
        tell("warm-up", pair.load, ours(pair), bare(pair));
      }
      double share =
          (double) compileTime().minus(compiled).toNanos() / (System.nanoTime() - startNs);
      Report.note("the members' compilers have worked %.0f %% of the time", 100 * share);
      isWarm = share < BUSY_SHARE_MAX;
    }
  }

  private Duration compileTime() throws IOException {
    return queue.compileTime().plus(echo.compileTime());
  }

  void measure(int rounds) throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      for (Pair pair : pairs) {
        Run bare = round % 2 == 0 ? bare(pair) : null;
        Run ours = ours(pair);
        bare = bare == null ? bare(pair) : bare;
        pair.ours.add(ours);
        pair.bare.add(bare);
        tell("round " + round, pair.load, ours, bare);
      }
    }
  }

  private Run ours(Pair pair) throws IOException, InterruptedException {
    Run run = Run.of(pair.load, queue, ofRun, valueBytes);
    if (pair.load.isInBatches()) {
      pair.messageBytes = run.messageBytes();
    }
    return run;
  }

  private Run bare(Pair pair) throws IOException, InterruptedException {
    int bytes = pair.load.isInBatches() ? pair.messageBytes : messageBytes;
    return Run.of(pair.load, echo, ofRun, bytes);
  }

  private static void tell(String when, ClusterLoad load, Run ours, Run bare) {
    Report.note(
        "%s: %s: %,.0f /s, %.0f us, p99 %.0f, processors %.1f us, log %.0f bytes; echo %,.0f /s,"
            + " %.0f us, p99 %.0f, processors %.1f us; rate %.2f, p50 %.2f",
        when,
        load.name(),
        ours.outcome().perSecond() * load.tasksPerCommand(),
        ours.outcome().p50Us(),
        ours.outcome().p99Us(),
        ours.processorUs(),
        ours.logBytes(),
        bare.outcome().perSecond() * load.tasksPerCommand(),
        bare.outcome().p50Us(),
        bare.outcome().p99Us(),
        bare.processorUs(),
        ours.outcome().perSecond() / bare.outcome().perSecond(),
        ours.outcome().p50Us() / bare.outcome().p50Us());
  }

  void tell(Report report) {
    Table rates =
        new Table("/s", "least", "median", "greatest", "echo, median", "share, least", "median");
    Table calls =
        new Table(
            "us (medians)",
            "p50",
            "p99",
            "echo, p50",
            "p99",
            "p50 to echo's",
            "processors, a command",
            "echo");
    for (Pair pair : pairs) {
      tell(pair, rates, calls, report);
    }
    rates.print();
    calls.print();
  }

  private static void tell(Pair pair, Table rates, Table calls, Report report) {
    double tasks = pair.load.tasksPerCommand();
    Spread rate = of(pair.ours, run -> run.outcome().perSecond() * tasks);
    Spread bareRate = of(pair.bare, run -> run.outcome().perSecond() * tasks);
    Spread share = pair.ratio(run -> run.outcome().perSecond());
    Spread slower = pair.ratio(run -> run.outcome().p50Us());
    rates.row(
        pair.load.name(),
        Math.round(rate.least()),
        Math.round(rate.median()),
        Math.round(rate.greatest()),
        Math.round(bareRate.median()),
        text(share.least()),
        text(share.median()));
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("perSecond", rate.toMap());
    figures.put("echoPerSecond", bareRate.toMap());
    figures.put("share", share.toMap());
    figures.put("p50ToEcho", slower.toMap());
    figures.put("p50Us", of(pair.ours, run -> run.outcome().p50Us()).median());
    figures.put("p99Us", of(pair.ours, run -> run.outcome().p99Us()).median());
    figures.put("echoP50Us", of(pair.bare, run -> run.outcome().p50Us()).median());
    figures.put("echoP99Us", of(pair.bare, run -> run.outcome().p99Us()).median());
    figures.put("processorUs", of(pair.ours, Run::processorUs).median());
    figures.put("echoProcessorUs", of(pair.bare, Run::processorUs).median());
    calls.row(
        pair.load.name(),
        figures.get("p50Us"),
        figures.get("p99Us"),
        figures.get("echoP50Us"),
        figures.get("echoP99Us"),
        text(slower.median()),
        figures.get("processorUs"),
        figures.get("echoProcessorUs"));
    report.figure(pair.load.name(), figures);
  }

  private static Spread of(List<Run> runs, ToDoubleFunction<Run> value) {
    return Spread.of(runs.stream().mapToDouble(value).toArray());
  }

  private static String text(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  /** One load, on both. */
  private static final class Pair {
    private final ClusterLoad load;
    private final List<Run> ours = new ArrayList<>();
    private final List<Run> bare = new ArrayList<>();
    private int messageBytes;

    Pair(ClusterLoad load) {
      this.load = load;
    }

    /** Of ours to the echo's, round by round. */
    Spread ratio(ToDoubleFunction<Run> value) {
      double[] ratios = new double[ours.size()];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = value.applyAsDouble(ours.get(i)) / value.applyAsDouble(bare.get(i));
      }
      return Spread.of(ratios);
    }
  }
}
