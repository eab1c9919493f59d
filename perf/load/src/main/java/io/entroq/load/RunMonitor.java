package io.entroq.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Watches callers at work, and lets others see. For one thread. */
final class RunMonitor {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long a caller may wait for an answer when the run is over before it is given up. */
  private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);

  private final LoadClock clock;
  private final RunSchedule schedule;
  private final Pacer pacer;
  private final CallerThreads threads;
  private final LatencyRecorder latencies;
  private final long backlog;
  private final LoadListener view;
  private final BooleanSupplier isInterrupted;

  private long sampledNs;
  private long sampledCycles;
  private long overdueMost;
  private boolean isCutShort;

  /**
   * @param backlog how many tasks there are before the callers begin
   */
  RunMonitor(
      LoadClock clock,
      RunSchedule schedule,
      Pacer pacer,
      CallerThreads threads,
      LatencyRecorder latencies,
      long backlog,
      LoadListener view,
      BooleanSupplier isInterrupted) {
    this.clock = clock;
    this.schedule = schedule;
    this.pacer = pacer;
    this.threads = threads;
    this.latencies = latencies;
    this.backlog = backlog;
    this.view = view;
    this.isInterrupted = isInterrupted;
  }

  /**
   * Returns when all callers have ended.
   *
   * @param drain how long callers may go on after the run
   * @throws LoadException if some do not
   */
  void untilOver(Duration drain) {
    sampledNs = schedule.startNs();
    lookForInterruption();
    while (!threads.awaitEnd(LOOK_NS)) {
      lookForInterruption();
      long nowNs = clock.nanoTime();
      overdueMost = Math.max(overdueMost, pacer.overdue(nowNs));
      if (nowNs - sampledNs >= view.interval().toNanos()) {
        view.running(sample(nowNs));
      }
      if (nowNs - schedule.untilNs() > drain.toNanos() + PATIENCE_NS) {
        String waiting = threads.waiting();
        threads.interrupt();
        throw new LoadException(
            "The run has been over for a minute, and callers still wait for answers: " + waiting);
      }
    }
    overdueMost = Math.max(overdueMost, pacer.overdue(clock.nanoTime()));
  }

  private void lookForInterruption() {
    if (!isCutShort && isInterrupted.getAsBoolean()) {
      isCutShort = true;
      threads.cutShort();
    }
  }

  private ProgressSample sample(long nowNs) {
    Totals totals = threads.totals();
    double cyclesPerSecond = (totals.cycles() - sampledCycles) * 1e9 / (nowNs - sampledNs);
    sampledNs = nowNs;
    sampledCycles = totals.cycles();
    return new ProgressSample(
        nowNs - schedule.startNs(),
        schedule.isMeasured(nowNs),
        cyclesPerSecond,
        latencies.interval().get(Operation.CYCLE),
        totals,
        backlog + totals.inserted() - totals.deleted(),
        pacer.overdue(nowNs));
  }

  /** How many cycles were due at most that nobody had begun. */
  long overdueMost() {
    return overdueMost;
  }

  /** Whether the run was ended before its time by whoever watches. */
  boolean isCutShort() {
    return isCutShort;
  }
}
