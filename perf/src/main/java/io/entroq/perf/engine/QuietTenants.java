package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueuePolicy.Fairness;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import io.entroq.tools.terminal.OptionRange;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures how long tasks of quiet tenants wait for a worker, beside a tenant that inserts many
 * times as much as each of them, and without it. Tenants are members of a pool; or all insert into
 * one queue, to show the difference.
 *
 * <p>Tasks arrive at random, as those of independent callers do. The loud tenant takes the workers
 * beyond their capacity, so its own tasks pile up. A wait begins when the task was to arrive, so a
 * slow insert counts.
 */
@Command(
    name = "QuietTenants",
    description =
        "Measures the waits of quiet tenants beside a loud one, in a pool and in a queue.")
public final class QuietTenants extends BenchmarkCommand {
  private static final String NAME = "work";
  private static final int LOUD = 0;
  private static final int LEFT_AT_ONCE = 1_000;
  private static final Claim CLAIM = Claim.from(NAME).withLease(Duration.ofMinutes(5));

  /** Not longer, so that workers notice the end. */
  private static final Duration WAIT = Duration.ofMillis(100);

  @Option(names = "--tenants", description = "Tenants, one of which is loud (${DEFAULT-VALUE}).")
  private int tenants = 1_000;

  @Option(
      names = "--times-as-much",
      description = "Tasks of the loud tenant for one of a quiet one (${DEFAULT-VALUE}).")
  private int timesAsMuch = 1_000;

  @Option(names = "--workers", description = "Workers (${DEFAULT-VALUE}).")
  private int workers = 20;

  @Option(
      names = "--handling-ms",
      description = "Milliseconds that a worker takes for a task (${DEFAULT-VALUE}).")
  private int handlingMs = 10;

  @Option(
      names = "--quiet-load",
      description = "Part of the workers' time that the quiet tenants need (${DEFAULT-VALUE}).")
  private double quietLoad = 0.75;

  @Option(names = "--rounds", description = "Rounds of all four runs (${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(names = "--seconds", description = "Measured seconds of a run (${DEFAULT-VALUE}).")
  private int seconds = 12;

  @Option(names = "--warm-up", description = "Seconds before they begin (${DEFAULT-VALUE}).")
  private int warmUpSeconds = 3;

  @Option(names = "--durability", description = "none, os, disk (${DEFAULT-VALUE}).")
  private Durability durability = Durability.OS;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private QuietTenants() {}

  public static void main(String[] args) {
    run(new QuietTenants(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    OptionRange.require("--tenants", tenants, 2, 100_000);
    OptionRange.require("--times-as-much", timesAsMuch, 1, 1_000_000);
    OptionRange.require("--workers", workers, 1, 1_000);
    OptionRange.require("--quiet-load", quietLoad, 0.01, 0.99);
    OptionRange.require("--handling-ms", handlingMs, 1, 10_000);
    OptionRange.require("--rounds", rounds, 1, 1_000);
    OptionRange.require("--seconds", seconds, 1, 3_600);
    OptionRange.require("--warm-up", warmUpSeconds, 0, 3_600);
    try (scratch) {
      LatencyTable waits = LatencyTable.inMillis(report);
      Table ratios =
          new Table("p99 beside the loud tenant to alone", "least", "median", "greatest");
      measure(true, report, waits, ratios);
      measure(false, report, waits, ratios);
      waits.print();
      ratios.print();
    }
  }

  private void measure(boolean isPool, Report report, LatencyTable waits, Table ratios)
      throws Exception {
    String what = isPool ? "pool" : "one queue";
    Histogram aloneAll = LatencyTable.histogram();
    Histogram besideAll = LatencyTable.histogram();
    List<Double> alone = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      alone.add(waits(isPool, false, aloneAll));
      beside.add(waits(isPool, true, besideAll));
      Report.note(
          "%s: p99 alone %.2f ms, beside the loud tenant %.2f ms",
          what, alone.get(round), beside.get(round));
    }
    waits.add(what + ", alone", aloneAll).add(what + ", beside the loud tenant", besideAll);
    Spread spread = Spread.ofRatios(beside, alone);
    ratios.row(what, spread);
    report.figure(what + ", p99 beside to alone", spread.toMap());
  }

  /** Adds the waits of one run to a histogram; returns their 99th percentile in milliseconds. */
  private double waits(boolean isPool, boolean hasLoud, Histogram all) throws Exception {
    Path data = scratch.resolve("data" + System.nanoTime());
    try (EmbeddedEntroQ queue =
        EmbeddedEntroQ.open(EmbeddedConfig.in(data).durability(durability).build())) {
      if (isPool) {
        QueuePolicy pool = QueuePolicy.of(NAME).pool(Fairness.LEAST_IN_FLIGHT);
        queue.modify(Modification.put(pool)).orThrow();
      }
      Histogram waits = new Run(queue, isPool, hasLoud).waits();
      all.add(waits);
      return LatencyTable.us(waits, 99) / 1e3;
    }
  }

  /** One run in a new engine. */
  private final class Run {
    private final EntroQ queue;
    private final boolean isPool;
    private final boolean hasLoud;
    private final Histogram waits = new ConcurrentHistogram(LatencyTable.NS_MAX, 3);
    private final long measuredNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpSeconds);
    private final long endNs = measuredNs + TimeUnit.SECONDS.toNanos(seconds);

    Run(EntroQ queue, boolean isPool, boolean hasLoud) {
      this.queue = queue;
      this.isPool = isPool;
      this.hasLoud = hasLoud;
    }

    Histogram waits() throws InterruptedException, ExecutionException {
      ExecutorService threads = Executors.newFixedThreadPool(workers);
      try {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
          all.add(CompletableFuture.runAsync(this::work, threads));
        }
        insert();
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
      } finally {
        threads.shutdownNow();
      }
      recordLeft();
      return waits;
    }

    /** Inserts tasks when they are to arrive, all that are overdue at once. */
    private void insert() {
      Random random = new Random(1);
      double perSecondOfQuiet = quietLoad * workers * 1e3 / handlingMs;
      double ofLoud = hasLoud ? (double) timesAsMuch / (timesAsMuch + tenants - 1) : 0;
      double meanNs = 1e9 / perSecondOfQuiet * (1 - ofLoud);
      double dueNs = System.nanoTime();
      while (dueNs < endNs) {
        long nowNs = System.nanoTime();
        if (dueNs > nowNs) {
          LockSupport.parkNanos((long) dueNs - nowNs);
          continue;
        }
        Modification.Builder due = Modification.builder();
        for (; dueNs <= nowNs; dueNs -= meanNs * Math.log(1 - random.nextDouble())) {
          boolean isLoud = random.nextDouble() < ofLoud;
          int tenant = isLoud ? LOUD : 1 + random.nextInt(tenants - 1);
          due.insert(isPool ? NAME + "/" + tenant : NAME, value(tenant, (long) dueNs));
        }
        queue.modify(due.build()).orThrow();
      }
    }

    private static Value value(int tenant, long dueNs) {
      return Value.bytes(
          ByteBuffer.allocate(Integer.BYTES + Long.BYTES).putInt(tenant).putLong(dueNs).array());
    }

    private void work() {
      try {
        while (System.nanoTime() < endNs) {
          for (Task task : queue.claimMany(CLAIM.withMaxWait(WAIT))) {
            handle(task);
          }
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException("a worker is interrupted only after all have ended", e);
      }
    }

    private void handle(Task task) {
      long nowNs = System.nanoTime();
      record(task, nowNs);
      long doneNs = nowNs + TimeUnit.MILLISECONDS.toNanos(handlingMs);
      for (long leftNs = doneNs - nowNs; leftNs > 0; leftNs = doneNs - System.nanoTime()) {
        LockSupport.parkNanos(leftNs);
      }
      queue.modify(Modification.delete(task)).orThrow();
    }

    private void record(Task task, long startNs) {
      ByteBuffer value = task.value().asByteBuffer();
      boolean isQuiet = value.getInt() != LOUD;
      long dueNs = value.getLong();
      if (isQuiet && dueNs >= measuredNs) {
        waits.recordValue(Math.max(0, startNs - dueNs));
      }
    }

    /** Tasks that still wait at the end have waited until then at least. */
    private void recordLeft() {
      Claim many = CLAIM.withLimit(LEFT_AT_ONCE);
      for (List<Task> left = queue.tryClaimMany(many);
          !left.isEmpty();
          left = queue.tryClaimMany(many)) {
        left.forEach(task -> record(task, endNs));
      }
    }
  }
}
