package io.entroq.load;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.load.ledger.Balance;
import io.entroq.load.ledger.TaskLedger;
import io.entroq.load.ledger.TaskSource;
import io.entroq.load.ledger.TaskTags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Puts load on a queue and accounts for every task. Runs once, on one thread. */
public final class LoadRun {
  private final LoadConfig config;
  private final RunTarget target;
  private final LoadListener listener;
  private final BooleanSupplier isInterrupted;
  private final LoadClock clock;
  private final TaskTags tags;
  private final TaskLedger ledger;
  private final LatencyRecorder latencies;

  /**
   * Prepares a run.
   *
   * @param queue under load; its other queues are left alone
   * @param isInterrupted whether to end early, with the result so far
   */
  public LoadRun(
      LoadConfig config, EntroQ queue, LoadListener listener, BooleanSupplier isInterrupted) {
    this(config, List.of(queue), listener, isInterrupted);
  }

  /**
   * Prepares a run.
   *
   * @param connections to the queue under load, over which callers are spread; its other queues are
   *     left alone
   * @param isInterrupted whether to end early, with the result so far
   */
  public LoadRun(
      LoadConfig config,
      List<EntroQ> connections,
      LoadListener listener,
      BooleanSupplier isInterrupted) {
    this(config, connections, listener, isInterrupted, SystemClock.CLOCK);
  }

  LoadRun(
      LoadConfig config,
      List<EntroQ> connections,
      LoadListener listener,
      BooleanSupplier isInterrupted,
      LoadClock clock) {
    this.config = config;
    this.listener = listener;
    this.isInterrupted = isInterrupted;
    this.clock = clock;
    int run = new SplittableRandom().nextInt();
    tags = new TaskTags(run, config.valueBytes());
    ledger = new TaskLedger(tags, config.callers() + 1);
    latencies = latencies(config);
    target =
        new EntroQTarget(
            config,
            connections,
            new QueueNames("bench/%08x/".formatted(run), config.queues()),
            ledger,
            new TaskSource(tags, ledger, config.callers()),
            listener,
            clock,
            isInterrupted);
  }

  /**
   * Prepares a run on any other queue, without a backlog. Callers claim until they have committed
   * as many tasks as they have inserted.
   *
   * @param drain how long callers may take after the run to commit remaining tasks, above 0; tasks
   *     that are left then count as lost
   */
  public LoadRun(LoadConfig config, LoadTarget target, Duration drain) {
    this.config = config;
    this.listener = LoadListener.NONE;
    this.isInterrupted = () -> false;
    this.clock = SystemClock.CLOCK;
    tags = new TaskTags(new SplittableRandom().nextInt(), config.valueBytes());
    ledger = new TaskLedger(tags, config.callers());
    latencies = latencies(config);
    this.target = new DrainedTarget(target, drain, ledger);
  }

  private static LatencyRecorder latencies(LoadConfig config) {
    int shards = Math.min(config.callers(), 2 * Runtime.getRuntime().availableProcessors());
    return new LatencyRecorder(shards);
  }

  /**
   * Runs it. Remaining tasks stay in the queue.
   *
   * @throws LoadException if there is no result
   */
  public LoadResult run() {
    try {
      target.prepare();
      return load();
    } catch (EntroQException e) {
      throw new LoadException("The queue has failed: " + e.getMessage(), e);
    } finally {
      listener.end();
    }
  }

  private LoadResult load() {
    RunSchedule schedule = new RunSchedule(config.warmUp(), config.duration());
    Pacer pacer = pacer(schedule);
    Drain drain = new Drain(clock, schedule, target.drain(), config.callers());
    CallerThreads threads =
        new CallerThreads(clock, schedule, drain, callers(schedule, pacer, drain));
    RunMonitor monitor =
        new RunMonitor(
            clock, schedule, pacer, threads, latencies, ledger.inserted(), listener, isInterrupted);
    threads.start();
    threads.begin();
    monitor.untilOver(target.drain());
    long measuredNs = schedule.measuredNs(clock.nanoTime());
    Totals totals = threads.totals();
    Balance balance = target.check(totals);
    return new LoadResult(
        config,
        target.queuePrefix(),
        measuredNs,
        totals,
        latencies.total(),
        balance,
        pacer.overdue(schedule.untilNs()),
        monitor.overdueMost(),
        monitor.isCutShort() || !balance.isComplete(),
        threads.failure());
  }

  private Pacer pacer(RunSchedule schedule) {
    return config.rate().isPresent()
        ? new OpenLoopPacer(clock, schedule, config.rate().getAsDouble() / config.batch())
        : new ClosedLoopPacer(clock, schedule);
  }

  private List<Caller> callers(RunSchedule schedule, Pacer pacer, Drain drain) {
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < config.callers(); i++) {
      callers.add(
          new Caller(
              target,
              clock,
              schedule,
              pacer,
              drain,
              new TaskSource(tags, ledger, i),
              ledger,
              latencies.shard(i),
              i,
              config.batch()));
    }
    return callers;
  }
}
