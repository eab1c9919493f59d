package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.Engines;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.entroq.tools.terminal.OptionRange;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures how late a waiting claim starts after the gate of a limiter, among many limiters and
 * policies, and how long writes take beside them.
 */
@Command(
    name = "GateAccuracy",
    description = "Measures the time from a limiter's gate to the start of a waiting claim.")
public final class GateAccuracy extends BenchmarkCommand {
  private static final int BATCH = 1_000;
  private static final Duration INTERVAL = Duration.ofMillis(5);
  private static final Duration DAY = Duration.ofDays(1);

  @Option(names = "--limiters", description = "Limiters, each with a policy (${DEFAULT-VALUE}).")
  private int limiters = 100_000;

  @Option(
      names = "--waiting",
      description = "Queues with a claim that waits for its limiter all along (${DEFAULT-VALUE}).")
  private int waiting = 10_000;

  @Option(names = "--times", description = "Measurements (${DEFAULT-VALUE}).")
  private int times = 2_000;

  @Option(names = "--warm-up-times", description = "Warm-up runs (${DEFAULT-VALUE}).")
  private int warmUpTimes = 500;

  @Option(names = "--durability", description = "none, os, disk (${DEFAULT-VALUE}).")
  private Durability durability = Durability.OS;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private GateAccuracy() {}

  public static void main(String[] args) {
    run(new GateAccuracy(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    OptionRange.require("--limiters", limiters, 2, 100_000);
    OptionRange.require("--waiting", waiting, 0, limiters - 1);
    OptionRange.require("--times", times, 1, 10_000_000);
    OptionRange.require("--warm-up-times", warmUpTimes, 0, 10_000_000);
    Histogram writes = LatencyTable.histogram();
    Histogram starts = LatencyTable.histogram();
    Histogram late = LatencyTable.histogram();
    Histogram again = LatencyTable.histogram();
    try (scratch) {
      Path data = scratch.resolve("data");
      try (EmbeddedEntroQ queue = open(data)) {
        write(queue, writes);
        start(queue, starts);
        measureGates(queue, late);
      }
      Engines.takeSnapshot(data);
      long startNs = System.nanoTime();
      try (EmbeddedEntroQ queue = open(data)) {
        report.figure("openMs", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
        measureGates(queue, again);
      }
    }
    LatencyTable.inMicros(report)
        .add("a step that writes 1,000 limiters or policies", writes)
        .add("a first start", starts)
        .add("a gate reaches a waiting claim", late)
        .add("the same after a restart", again)
        .print();
  }

  private EmbeddedEntroQ open(Path data) {
    return EmbeddedEntroQ.open(EmbeddedConfig.in(data).durability(durability).build());
  }

  /** Limiters below {@link #waiting} start one task a day. */
  private void write(EntroQ queue, Histogram steps) {
    for (int from = 0; from < limiters; from += BATCH) {
      Modification.Builder policies = Modification.builder();
      Modification.Builder rates = Modification.builder();
      Modification.Builder tasks = Modification.builder();
      for (int i = from; i < Math.min(limiters, from + BATCH); i++) {
        rates.add(Modification.put(Limiter.of(name(i)).rate(1, i < waiting ? DAY : INTERVAL)));
        policies.add(Modification.put(QueuePolicy.of(name(i)).limiters(name(i)).inFlight(BATCH)));
        tasks.insert(name(i), "").insert(name(i), "");
      }
      commit(queue, rates, steps);
      commit(queue, policies, steps);
      queue.modify(tasks.build()).orThrow();
    }
  }

  private static void commit(EntroQ queue, Modification.Builder step, Histogram steps) {
    long startNs = System.nanoTime();
    queue.modify(step.build()).orThrow();
    steps.recordValue(System.nanoTime() - startNs);
  }

  private static String name(int i) {
    return "stripe/" + i;
  }

  /** Uses each limiter once. */
  private void start(EntroQ queue, Histogram starts) {
    for (int i = 0; i < limiters; i++) {
      long startNs = System.nanoTime();
      Task task = queue.tryClaim(Claim.from(name(i))).orElseThrow();
      starts.recordValue(System.nanoTime() - startNs);
      queue.modify(Modification.delete(task)).orThrow();
    }
  }

  private void measureGates(EntroQ queue, Histogram late) throws InterruptedException {
    List<CompletableFuture<List<Task>>> parked = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      parked.add(queue.claimAsync(Claim.from(name(i))));
    }
    for (int i = -warmUpTimes; i < times; i++) {
      String name = name(waiting + (i + warmUpTimes) * 7 % (limiters - waiting));
      long lateNs = late(queue, name);
      if (i >= 0) {
        late.recordValue(lateNs);
      }
    }
    parked.forEach(claim -> claim.cancel(true));
  }

  private static long late(EntroQ queue, String name) throws InterruptedException {
    queue.modify(Modification.insert(name, "")).orThrow();
    Task first = queue.claim(Claim.from(name));
    queue.modify(Modification.delete(first).and(Modification.insert(name, ""))).orThrow();
    Instant gate = first.modified().plus(INTERVAL);
    Task second = queue.claim(Claim.from(name));
    long lateMicros = ChronoUnit.MICROS.between(gate, Instant.now());
    queue.modify(Modification.delete(second)).orThrow();
    // Log time may be slewed against the clock of the system.
    return Math.max(0, TimeUnit.MICROSECONDS.toNanos(lateMicros));
  }
}
