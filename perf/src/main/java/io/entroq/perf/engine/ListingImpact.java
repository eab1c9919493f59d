package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.fixture.TaskCycle;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Measures claims from a long queue, alone and while another thread lists it, in turns. */
@Command(
    name = "ListingImpact",
    description = "Measures claims from a long queue, alone and beside a listing of the queue.")
public final class ListingImpact extends BenchmarkCommand {
  private static final String QUEUE = "inbox";
  private static final int VALUE_BYTES = 32;
  private static final int WARM_UP_ROUNDS = 2;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "tasks",
      defaultValue = "10000000",
      description = "Tasks in the queue (${DEFAULT-VALUE}).")
  private int tasks;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "rounds",
      defaultValue = "10",
      description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "seconds",
      defaultValue = "5",
      description = "Seconds of a slice, two to a round (${DEFAULT-VALUE}).")
  private int seconds;

  @Parameters(
      index = "3",
      arity = "0..1",
      paramLabel = "level",
      defaultValue = "none",
      description = "none, os, disk (${DEFAULT-VALUE}).")
  private Durability level;

  @Parameters(
      index = "4",
      arity = "0..1",
      paramLabel = "rate",
      defaultValue = "0",
      description = "Cycles per second; 0: as many as possible (${DEFAULT-VALUE}).")
  private int perSecond;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();
  private final Claim claim = Claim.from(QUEUE);

  private ListingImpact() {}

  public static void main(String[] args) {
    run(new ListingImpact(), args);
  }

  @Override
  protected void measure(Report report) {
    EmbeddedConfig.Builder config =
        level == Durability.NONE
            ? EmbeddedConfig.inMemory()
            : EmbeddedConfig.in(scratch.path()).durability(level);
    try (scratch;
        EmbeddedEntroQ queue = EmbeddedEntroQ.open(config.build())) {
      new Backlog(queue, QUEUE, VALUE_BYTES).growTo(tasks);
      EndlessListing listing = new EndlessListing(queue, TaskQuery.in(QUEUE));
      listing.start();
      measure(new TaskCycle(queue), listing, report);
      listing.end();
    }
  }

  private void measure(TaskCycle cycle, EndlessListing listing, Report report) {
    Histogram allAlone = LatencyTable.histogram();
    Histogram allBeside = LatencyTable.histogram();
    List<Double> ratios = new ArrayList<>();
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      Histogram alone = slice(cycle);
      final long before = listing.tasks();
      listing.resume();
      Histogram beside = slice(cycle);
      listing.pause();
      if (round >= 0) {
        allAlone.add(alone);
        allBeside.add(beside);
        double ratio = LatencyTable.us(beside, 99) / LatencyTable.us(alone, 99);
        ratios.add(ratio);
        Report.note(
            "round %d: p99 %.1f us alone, %.1f beside the listing (%.2f), %,d tasks listed/s",
            round,
            LatencyTable.us(alone, 99),
            LatencyTable.us(beside, 99),
            ratio,
            (listing.tasks() - before) / seconds);
      }
    }
    LatencyTable.inMicros(report)
        .add("claims alone", allAlone)
        .add("claims beside the listing", allBeside)
        .print();
    Spread ratio = Spread.of(ratios, value -> value);
    new Table("p99 beside the listing to alone", "least", "median", "greatest")
        .row("of the rounds", ratio)
        .print();
    report
        .figure("p99 beside the listing to alone", ratio.toMap())
        .figure("whole listings", listing.listings());
  }

  /** Runs cycles for a while; at a given rate, the latency of a claim begins when it is due. */
  private Histogram slice(TaskCycle cycle) {
    Histogram claims = LatencyTable.histogram();
    final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long intervalNs = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
    long dueNs = System.nanoTime();
    while (dueNs - endNs < 0) {
      awaitTime(dueNs);
      long lateNs = intervalNs == 0 ? 0 : System.nanoTime() - dueNs;
      cycle.run(claim);
      claims.recordValue(lateNs + cycle.claimNs());
      dueNs = intervalNs == 0 ? System.nanoTime() : dueNs + intervalNs;
    }
    return claims;
  }

  private static void awaitTime(long dueNs) {
    for (long left = dueNs - System.nanoTime(); left > 0; left = dueNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
