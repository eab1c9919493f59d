package io.entroq.perf.served;

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

/** Loads on our server and on the echo, in turns, and what share of the echo's rate is ours. */
final class EchoComparison {
  /** Of a run, before it counts. */
  private static final Duration SETTLING = Duration.ofMillis(200);

  private final RunLengths lengths;
  private final WarmUp warmUp;
  private final List<Pair> pairs = new ArrayList<>();

  EchoComparison(RunLengths lengths, WarmUp warmUp) {
    this.lengths = lengths;
    this.warmUp = warmUp;
  }

  /**
   * Adds a load.
   *
   * @param ceiling the same on the echo
   */
  void add(ServedLoad load, LoopCycles ours, LoopCycles ceiling) {
    pairs.add(new Pair(load, ours, ceiling));
  }

  /**
   * Goes through all loads, at first for warmth, then round after round; who comes first changes.
   */
  void run() throws InterruptedException, IOException {
    warmUp();
    measure();
  }

  /** Goes through all loads until the servers are warm. */
  void warmUp() throws InterruptedException, IOException {
    for (int times = 0; times < lengths.warmUps() && !warmUp.isOver(); times++) {
      for (Pair pair : pairs) {
        tell("warm-up", pair, run(pair.ours, lengths.ofRun()), run(pair.ceiling, lengths.ofRun()));
      }
    }
  }

  private void measure() throws InterruptedException {
    for (int round = 0; round < lengths.rounds(); round++) {
      for (Pair pair : pairs) {
        Measured ceiling = null;
        if (round % 2 == 0) {
          ceiling = run(pair.ceiling, lengths.ofRun());
        }
        Measured ours = run(pair.ours, lengths.ofRun());
        if (ceiling == null) {
          ceiling = run(pair.ceiling, lengths.ofRun());
        }
        pair.add(ours, ceiling);
        tell("round " + round, pair, ours, ceiling);
      }
    }
  }

  private static void tell(String when, Pair pair, Measured ours, Measured ceiling) {
    Report.note(
        "%s: %s: %,.0f tasks/s, echo %,.0f: %.2f; processors %.1f us a task, echo %.1f",
        when,
        pair.load.name(),
        ours.perSecond(),
        ceiling.perSecond(),
        ours.perSecond() / ceiling.perSecond(),
        ours.serverUs(),
        ceiling.serverUs());
  }

  private static Measured run(LoopCycles cycles, Duration duration) throws InterruptedException {
    return cycles.run(SETTLING, duration);
  }

  void tell(Report report) {
    Table table =
        new Table(
            "tasks through the cycle, /s",
            "least",
            "median",
            "greatest",
            "echo, median",
            "share, least",
            "share, median",
            "floor");
    Table calls =
        new Table(
            "us (medians)",
            "a call, p50",
            "p99",
            "echo, p50",
            "p99",
            "server's processors, a task",
            "echo");
    for (Pair pair : pairs) {
      String name = pair.load.name();
      Spread rate = pair.of(pair.oursMeasured, Measured::perSecond);
      Spread ceiling = pair.of(pair.ceilingMeasured, Measured::perSecond);
      Spread share = pair.share();
      table.row(
          name,
          Math.round(rate.least()),
          Math.round(rate.median()),
          Math.round(rate.greatest()),
          Math.round(ceiling.median()),
          text(share.least()),
          text(share.median()),
          pair.load.floor());
      double serverUs = pair.of(pair.oursMeasured, Measured::serverUs).median();
      double echoUs = pair.of(pair.ceilingMeasured, Measured::serverUs).median();
      double p50 = pair.of(pair.oursMeasured, Measured::p50Us).median();
      double p99 = pair.of(pair.oursMeasured, Measured::p99Us).median();
      calls.row(
          name,
          p50,
          p99,
          pair.of(pair.ceilingMeasured, Measured::p50Us).median(),
          pair.of(pair.ceilingMeasured, Measured::p99Us).median(),
          serverUs,
          echoUs);
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("tasksPerSecond", rate.toMap());
      figures.put("echoPerSecond", ceiling.toMap());
      figures.put("share", share.toMap());
      figures.put("callP50Us", p50);
      figures.put("callP99Us", p99);
      figures.put("serverUs", serverUs);
      figures.put("echoServerUs", echoUs);
      figures.put("floor", pair.load.floor());
      report.figure(name, figures);
    }
    table.print();
    calls.print();
  }

  private static String text(double share) {
    return String.format(Locale.ROOT, "%.2f", share);
  }

  /** One load, on both servers. */
  private static final class Pair {
    private final ServedLoad load;
    private final LoopCycles ours;
    private final LoopCycles ceiling;
    private final List<Measured> oursMeasured = new ArrayList<>();
    private final List<Measured> ceilingMeasured = new ArrayList<>();

    Pair(ServedLoad load, LoopCycles ours, LoopCycles ceiling) {
      this.load = load;
      this.ours = ours;
      this.ceiling = ceiling;
    }

    void add(Measured ofOurs, Measured ofCeiling) {
      oursMeasured.add(ofOurs);
      ceilingMeasured.add(ofCeiling);
    }

    Spread of(List<Measured> measured, ToDoubleFunction<Measured> value) {
      return Spread.of(measured.stream().mapToDouble(value).toArray());
    }

    Spread share() {
      double[] shares = new double[oursMeasured.size()];
      for (int i = 0; i < shares.length; i++) {
        shares[i] = oursMeasured.get(i).perSecond() / ceilingMeasured.get(i).perSecond();
      }
      return Spread.of(shares);
    }
  }
}
