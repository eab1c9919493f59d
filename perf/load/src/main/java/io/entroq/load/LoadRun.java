package io.entroq.load;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.QueueQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Puts load on a queue and accounts for every task. To be run once, on one thread. */
public final class LoadRun {
  private final LoadConfig config;
  private final List<EntroQ> connections;
  private final EntroQ queue;
  private final LoadListener view;
  private final BooleanSupplier isInterrupted;
  private final LoadClock clock;
  private final QueueNames names;
  private final TaskLedger ledger;
  private final LatencyRecorder latencies;
  private final TaskTags tags;

  /**
   * Prepares a run.
   *
   * @param queue where the load goes; its other queues are left alone
   * @param isInterrupted whether to end before the time, with the result so far
   */
  public LoadRun(
      LoadConfig config, EntroQ queue, LoadListener view, BooleanSupplier isInterrupted) {
    this(config, List.of(queue), view, isInterrupted);
  }

  /**
   * Prepares a run.
   *
   * @param connections the queue where the load goes, once or several times; callers are spread
   *     over them. Its other queues are left alone
   * @param isInterrupted whether to end before the time, with the result so far
   */
  public LoadRun(
      LoadConfig config,
      List<EntroQ> connections,
      LoadListener view,
      BooleanSupplier isInterrupted) {
    this(config, connections, view, isInterrupted, SystemClock.CLOCK);
  }

  LoadRun(
      LoadConfig config,
      EntroQ queue,
      LoadListener view,
      BooleanSupplier isInterrupted,
      LoadClock clock) {
    this(config, List.of(queue), view, isInterrupted, clock);
  }

  private LoadRun(
      LoadConfig config,
      List<EntroQ> connections,
      LoadListener view,
      BooleanSupplier isInterrupted,
      LoadClock clock) {
    this.config = config;
    this.connections = List.copyOf(connections);
    this.queue = connections.get(0);
    this.view = view;
    this.isInterrupted = isInterrupted;
    this.clock = clock;
    int run = new SplittableRandom().nextInt();
    names = new QueueNames("bench/%08x/".formatted(run), config.queues());
    tags = new TaskTags(run, config.valueBytes());
    ledger = new TaskLedger(tags, config.callers() + 1);
    latencies =
        new LatencyRecorder(
            Math.min(config.callers(), 2 * Runtime.getRuntime().availableProcessors()));
  }

  /**
   * Runs it. What remains of its tasks is left in the queue.
   *
   * @throws LoadException if there is no result
   */
  public LoadResult run() {
    try {
      refuseOthers();
      new Backlog(names, inserts(queue, config.callers()), config.valueBytes())
          .load(config.backlog(), view, isInterrupted);
      return load();
    } catch (EntroQException e) {
      throw new LoadException("The queue has failed: " + e.getMessage(), e);
    } finally {
      view.end();
    }
  }

  /** The name of a run is drawn; so it is next to impossible that somebody has it. */
  private void refuseOthers() {
    if (!queue.areQueuesEmpty(QueueQuery.startingWith(names.prefix()))) {
      throw new LoadException(
          "There are queues named %s... already. Run it again: another name will be drawn."
              .formatted(names.prefix()));
    }
  }

  private TaskSource inserts(EntroQ connection, int source) {
    return new TaskSource(connection, tags, ledger, source);
  }

  private LoadResult load() {
    RunSchedule schedule = new RunSchedule(config.warmUp(), config.duration());
    Pacer pacer = pacer(schedule);
    CallerThreads threads = new CallerThreads(clock, schedule, callers(schedule, pacer));
    RunMonitor monitor =
        new RunMonitor(
            clock, schedule, pacer, threads, latencies, ledger.inserted(), view, isInterrupted);
    threads.gather();
    threads.begin();
    monitor.untilOver();
    long measuredNs = schedule.measuredNs(clock.nanoTime());
    Totals totals = threads.totals();
    Balance balance =
        new RemainderCheck(queue, names, ledger, view, clock, isInterrupted).run(totals);
    return new LoadResult(
        config,
        names.prefix(),
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

  private List<Caller> callers(RunSchedule schedule, Pacer pacer) {
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < config.callers(); i++) {
      EntroQ connection = connections.get(i % connections.size());
      callers.add(
          new Caller(
              connection,
              clock,
              schedule,
              pacer,
              inserts(connection, i),
              ledger,
              latencies.shard(i),
              config.batch(),
              names.of(i, config.callers())));
    }
    return callers;
  }
}
