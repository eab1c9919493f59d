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
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import io.entroq.tools.terminal.OptionRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how long a claim that waits in an idle engine waits on when its task is inserted, from
 * the call that inserts it, and when it becomes due, from that millisecond.
 */
@Command(
    name = "WakeUp",
    description = "From an insert, or from the time that a task is due, to the claim that waits.",
    mixinStandardHelpOptions = true)
public final class WakeUp implements Callable<Integer> {
  private static final String QUEUE = "inbox";
  private static final Duration DELAY = Duration.ofMillis(5);
  private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  @Option(names = "--times", description = "How often each is measured (${DEFAULT-VALUE}).")
  private int times = 5_000;

  @Option(names = "--warm-up-times", description = "How often before that (${DEFAULT-VALUE}).")
  private int warmUpTimes = 1_000;

  @Option(names = "--durability", description = "none, os, disk (${DEFAULT-VALUE}).")
  private Durability durability = Durability.OS;

  @Option(names = "--directory", description = "Where the log is; by default temporary.")
  private Path directory;

  private final ExecutorService claimant = Executors.newSingleThreadExecutor();
  private final Claim claim = Claim.from(QUEUE).withLease(Duration.ofMinutes(1));

  private WakeUp() {}

  /** Runs the measurement. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new WakeUp()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    OptionRange.require("--times", times, 1, 10_000_000);
    OptionRange.require("--warm-up-times", warmUpTimes, 0, 10_000_000);
    Report report =
        new Report(WakeUp.class)
            .setting("times", times)
            .setting("warmUpTimes", warmUpTimes)
            .setting("durability", durability.name());
    report.begin();
    try (ScratchDirectory scratch = ScratchDirectory.of(Optional.ofNullable(directory));
        EmbeddedEntroQ queue =
            EmbeddedEntroQ.open(
                EmbeddedConfig.in(scratch.resolve("data")).durability(durability).build())) {
      Histogram inserts = new Histogram(NANOS_MAX, 3);
      Histogram due = new Histogram(NANOS_MAX, 3);
      for (int i = -warmUpTimes; i < times; i++) {
        long insertNs = insert(queue);
        long dueNs = due(queue);
        if (i >= 0) {
          inserts.recordValue(insertNs);
          due.recordValue(dueNs);
        }
      }
      Table table = new Table("us", "p50", "p99", "p99.9", "longest");
      tell("an insert reaches a waiting claim", inserts, table, report);
      tell("a due task reaches a waiting claim", due, table, report);
      table.print();
    } finally {
      claimant.shutdown();
    }
    report.end();
    return 0;
  }

  private long insert(EntroQ queue) throws InterruptedException, ExecutionException {
    Future<Long> claimed = claimant.submit(() -> claim(queue));
    // Long enough for the claim to wait and for all threads to have gone to sleep.
    LockSupport.parkNanos(IDLE_NS);
    long startNs = System.nanoTime();
    queue.modify(Modification.insert(QUEUE, "")).orThrow();
    return claimed.get() - startNs;
  }

  /** When it had the task. */
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

  private static void tell(String what, Histogram nanos, Table table, Report report) {
    Map<String, Object> micros = new LinkedHashMap<>();
    micros.put("p50", nanos.getValueAtPercentile(50) / 1e3);
    micros.put("p99", nanos.getValueAtPercentile(99) / 1e3);
    micros.put("p99.9", nanos.getValueAtPercentile(99.9) / 1e3);
    micros.put("max", nanos.getMaxValue() / 1e3);
    table.row(what, micros.get("p50"), micros.get("p99"), micros.get("p99.9"), micros.get("max"));
    report.figure(what + ", us", micros);
  }
}
