package io.entroq.perf.process;

import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/** Puts loads on EntroQ and on an echo in turns, and compares the rates round by round. */
public final class EchoComparison {
  /** Processes are warm once their compilers take no more than this share of the time. */
  private static final double COMPILING_SHARE_MAX = 0.02;

  private final String unit;
  private final Callable<Duration> compileTime;
  private final List<Pair> pairs = new ArrayList<>();

  /**
   * @param unit the unit of work that {@link Run#processorUs} is for
   * @param compileTime how long the compilers of all serving processes have worked
   */
  public EchoComparison(String unit, Callable<Duration> compileTime) {
    this.unit = unit;
    this.compileTime = compileTime;
  }

  /**
   * Adds a load.
   *
   * @param floor tasks per second to reach; 0: none
   * @param subject runs it once on EntroQ
   * @param echo runs it once on the echo
   */
  public void add(String name, int floor, Callable<Run> subject, Callable<Run> echo) {
    pairs.add(new Pair(name, floor, subject, echo, new ArrayList<>(), new ArrayList<>()));
  }

  /** Runs all loads, at most so many times, until the serving processes are warm. */
  public void warmUp(int timesMax) throws Exception {
    double share = 1;
    for (int times = 0; times < timesMax && share > COMPILING_SHARE_MAX; times++) {
      long startNs = System.nanoTime();
      Duration before = compileTime.call();
      for (Pair pair : pairs) {
        note("warm-up", pair, pair.subject.call(), pair.echo.call());
      }
      long compiledNs = compileTime.call().minus(before).toNanos();
      share = (double) compiledNs / (System.nanoTime() - startNs);
      Report.note("compilers worked %.0f %% of the time", 100 * share);
    }
  }

  /** Measures all loads; who goes first changes from round to round. */
  public void measure(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (Pair pair : pairs) {
        boolean isEchoFirst = round % 2 == 0;
        Run first = isEchoFirst ? pair.echo.call() : pair.subject.call();
        Run second = isEchoFirst ? pair.subject.call() : pair.echo.call();
        Run run = isEchoFirst ? second : first;
        Run echoRun = isEchoFirst ? first : second;
        pair.runs.add(run);
        pair.echoRuns.add(echoRun);
        note("round " + round, pair, run, echoRun);
      }
    }
  }

  private void note(String when, Pair pair, Run run, Run echo) {
    Report.note(
        "%s: %s: %,.0f tasks/s, p50 %.0f us, p99 %.0f us, %.1f us of processors for a %s;"
            + " echo %,.0f, %.0f, %.0f, %.1f; share %.2f",
        when,
        pair.name,
        run.perSecond(),
        run.p50Us(),
        run.p99Us(),
        run.processorUs(),
        unit,
        echo.perSecond(),
        echo.p50Us(),
        echo.p99Us(),
        echo.processorUs(),
        run.perSecond() / echo.perSecond());
  }

  /** Prints tables, and adds the figures of each load to the report. */
  public void print(Report report) {
    Table rates =
        new Table(
            "tasks through the cycle, /s",
            "least",
            "median",
            "greatest",
            "echo, median",
            "share, least",
            "median",
            "greatest",
            "floor");
    Table calls =
        new Table(
            "us (medians)",
            "a call, p50",
            "p99",
            "echo, p50",
            "p99",
            "p50 to echo's",
            "processors, a " + unit,
            "echo");
    for (Pair pair : pairs) {
      Spread rate = Spread.of(pair.runs, Run::perSecond);
      Spread echoRate = Spread.of(pair.echoRuns, Run::perSecond);
      Spread share = pair.ratio(Run::perSecond);
      rates.row(
          pair.name, rate, echoRate.median(), share, pair.floor == 0 ? "" : (Object) pair.floor);
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("tasksPerSecond", rate.toMap());
      figures.put("echoPerSecond", echoRate.toMap());
      figures.put("share", share.toMap());
      figures.put("callP50Us", median(pair.runs, Run::p50Us));
      figures.put("callP99Us", median(pair.runs, Run::p99Us));
      figures.put("echoP50Us", median(pair.echoRuns, Run::p50Us));
      figures.put("echoP99Us", median(pair.echoRuns, Run::p99Us));
      figures.put("p50ToEcho", pair.ratio(Run::p50Us).median());
      figures.put("processorUs", median(pair.runs, Run::processorUs));
      figures.put("echoProcessorUs", median(pair.echoRuns, Run::processorUs));
      figures.put("floor", pair.floor);
      calls.row(
          pair.name,
          figures.get("callP50Us"),
          figures.get("callP99Us"),
          figures.get("echoP50Us"),
          figures.get("echoP99Us"),
          figures.get("p50ToEcho"),
          figures.get("processorUs"),
          figures.get("echoProcessorUs"));
      report.figure(pair.name, figures);
    }
    rates.print();
    calls.print();
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> value) {
    return Spread.of(runs, value).median();
  }

  /** A load on both sides. */
  private record Pair(
      String name,
      int floor,
      Callable<Run> subject,
      Callable<Run> echo,
      List<Run> runs,
      List<Run> echoRuns) {
    Spread ratio(ToDoubleFunction<Run> value) {
      return Spread.ofRatios(values(runs, value), values(echoRuns, value));
    }

    private static List<Double> values(List<Run> runs, ToDoubleFunction<Run> value) {
      return runs.stream().mapToDouble(value).boxed().toList();
    }
  }
}
