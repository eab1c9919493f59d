package io.entroq.server.bench;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.QueueQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Puts load on a queue and accounts for every task. To be run once, on one thread. */
public final class BenchRun {
  private final BenchConfig config;
  private final List<EntroQ> connections;
  private final EntroQ queue;
  private final BenchView view;
  private final BooleanSupplier isInterrupted;
  private final BenchClock clock;
  private final QueueNames names;
  private final Ledger ledger;
  private final Latencies latencies;
  private final Stamp stamp;

  /**
   * Prepares a run.
   *
   * @param queue where the load goes; its other queues are left alone
   * @param isInterrupted whether to end before the time, with the result so far
   */
  public BenchRun(BenchConfig config, EntroQ queue, BenchView view, BooleanSupplier isInterrupted) {
    this(config, List.of(queue), view, isInterrupted);
  }

  /**
   * Prepares a run.
   *
   * @param connections the queue where the load goes, once or several times; callers are spread
   *     over them. Its other queues are left alone
   * @param isInterrupted whether to end before the time, with the result so far
   */
  public BenchRun(
      BenchConfig config, List<EntroQ> connections, BenchView view, BooleanSupplier isInterrupted) {
    this(config, connections, view, isInterrupted, SystemClock.CLOCK);
  }

  BenchRun(
      BenchConfig config,
      EntroQ queue,
      BenchView view,
      BooleanSupplier isInterrupted,
      BenchClock clock) {
    this(config, List.of(queue), view, isInterrupted, clock);
  }

  private BenchRun(
      BenchConfig config,
      List<EntroQ> connections,
      BenchView view,
      BooleanSupplier isInterrupted,
      BenchClock clock) {
    this.config = config;
    this.connections = List.copyOf(connections);
    this.queue = connections.get(0);
    this.view = view;
    this.isInterrupted = isInterrupted;
    this.clock = clock;
    int run = new SplittableRandom().nextInt();
    names = new QueueNames("bench/%08x/".formatted(run), config.queues());
    stamp = new Stamp(run, config.valueBytes());
    ledger = new Ledger(stamp, config.callers() + 1);
    latencies =
        new Latencies(Math.min(config.callers(), 2 * Runtime.getRuntime().availableProcessors()));
  }

  /**
   * Runs it. What remains of its tasks is left in the queue.
   *
   * @throws BenchException if there is no result
   */
  public BenchResult run() {
    try {
      refuseOthers();
      new Backlog(names, inserts(queue, config.callers()), config.valueBytes())
          .load(config.backlog(), view, isInterrupted);
      return load();
    } catch (EntroQException e) {
      throw new BenchException("The queue has failed: " + e.getMessage(), e);
    } finally {
      view.end();
    }
  }

  /** The name of a run is drawn; so it is next to impossible that somebody has it. */
  private void refuseOthers() {
    if (!queue.areQueuesEmpty(QueueQuery.startingWith(names.prefix()))) {
      throw new BenchException(
          "There are queues named %s... already. Run it again: another name will be drawn."
              .formatted(names.prefix()));
    }
  }

  private Inserts inserts(EntroQ connection, int source) {
    return new Inserts(connection, stamp, ledger, source);
  }

  private BenchResult load() {
    Course course = new Course(config.warmUp(), config.duration());
    Pace pace = pace(course);
    Crew crew = new Crew(clock, course, callers(course, pace));
    Watch watch =
        new Watch(clock, course, pace, crew, latencies, ledger.inserted(), view, isInterrupted);
    crew.gather();
    crew.begin();
    watch.untilOver();
    long measuredNs = course.measuredNs(clock.nanoTime());
    Totals totals = crew.totals();
    Balance balance = new Check(queue, names, ledger, view, clock, isInterrupted).run(totals);
    return new BenchResult(
        config,
        names.prefix(),
        measuredNs,
        totals,
        latencies.total(),
        balance,
        pace.overdue(course.untilNs()),
        watch.overdueMost(),
        watch.isCutShort() || !balance.isComplete(),
        crew.failure());
  }

  private Pace pace(Course course) {
    return config.rate().isPresent()
        ? new OpenLoop(clock, course, config.rate().getAsDouble() / config.batch())
        : new ClosedLoop(clock, course);
  }

  private List<Caller> callers(Course course, Pace pace) {
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < config.callers(); i++) {
      EntroQ connection = connections.get(i % connections.size());
      callers.add(
          new Caller(
              connection,
              clock,
              course,
              pace,
              inserts(connection, i),
              ledger,
              latencies.shard(i),
              config.batch(),
              names.of(i, config.callers())));
    }
    return callers;
  }
}
