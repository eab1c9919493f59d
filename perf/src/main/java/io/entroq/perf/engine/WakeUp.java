package io.entroq.perf.engine;

import io.entroq.api.Arrival;
import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.entroq.tools.terminal.OptionRange;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how long a claim that waits in an idle engine takes to return an available task. */
@Command(
    name = "WakeUp",
    description = "Measures the time from an insert, or from a task's arrival, to a waiting claim.")
public final class WakeUp extends BenchmarkCommand {
  private static final String QUEUE = "inbox";
  private static final Duration DELAY = Duration.ofMillis(5);
  private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(2);

  @Option(names = "--times", description = "Measurements of each kind (${DEFAULT-VALUE}).")
  private int times = 5_000;

  @Option(names = "--warm-up-times", description = "Warm-up runs of each kind (${DEFAULT-VALUE}).")
  private int warmUpTimes = 1_000;

  @Option(names = "--durability", description = "none, os, disk (${DEFAULT-VALUE}).")
  private Durability durability = Durability.OS;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private final ExecutorService claimant = Executors.newSingleThreadExecutor();
  private final Claim claim = Claim.from(QUEUE).withLease(Duration.ofMinutes(1));

  private WakeUp() {}

  public static void main(String[] args) {
    run(new WakeUp(), args);
  }

  @Override
  protected void measure(Report report) throws InterruptedException, ExecutionException {
    OptionRange.require("--times", times, 1, 10_000_000);
    OptionRange.require("--warm-up-times", warmUpTimes, 0, 10_000_000);
    try (scratch;
        EmbeddedEntroQ queue =
            EmbeddedEntroQ.open(
                EmbeddedConfig.in(scratch.resolve("data")).durability(durability).build())) {
      Histogram inserts = LatencyTable.histogram();
      Histogram due = LatencyTable.histogram();
      for (int i = -warmUpTimes; i < times; i++) {
        long insertNs = insert(queue);
        long dueNs = due(queue);
        if (i >= 0) {
          inserts.recordValue(insertNs);
          due.recordValue(dueNs);
        }
      }
      LatencyTable.inMicros(report)
          .add("an insert reaches a waiting claim", inserts)
          .add("a due task reaches a waiting claim", due)
          .print();
    } finally {
      claimant.shutdown();
    }
  }

  private long insert(EntroQ queue) throws InterruptedException, ExecutionException {
    Future<Long> claimed = claimant.submit(() -> claim(queue));
    // Long enough for the claim to wait and for all threads to sleep.
    LockSupport.parkNanos(IDLE_NS);
    long startNs = System.nanoTime();
    queue.modify(Modification.insert(QUEUE, "")).orThrow();
    return claimed.get() - startNs;
  }

  /** Returns when the claim returned. */
  private long claim(EntroQ queue) throws InterruptedException {
    Task task = queue.claim(claim);
    long nowNs = System.nanoTime();
    queue.modify(Modification.delete(task)).orThrow();
    return nowNs;
  }

  private long due(EntroQ queue) throws InterruptedException {
    Insert insert = Insert.into(QUEUE).withArrival(Arrival.in(DELAY));
    Instant dueAt =
        queue
            .modify(Modification.builder().insert(insert).build())
            .orThrow()
            .inserted()
            .get(0)
            .arrivalTime();
    Task task = queue.claim(claim);
    long lateMicros = ChronoUnit.MICROS.between(dueAt, Instant.now());
    queue.modify(Modification.delete(task)).orThrow();
    // Log time may be slewed against the clock of the system.
    return Math.max(0, TimeUnit.MICROSECONDS.toNanos(lateMicros));
  }
}
