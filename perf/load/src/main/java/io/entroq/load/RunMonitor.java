package io.entroq.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Monitors callers and reports progress. For one thread. */
final class RunMonitor {
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long a caller may wait for an answer after the run. */
  private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(1);

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
   * @param backlog tasks inserted before the callers begin
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
   * Waits until all callers have ended.
   *
   * @param drain how long callers may continue after the run
   * @throws LoadException if some do not end
   */
  void untilOver(Duration drain) {
    sampledNs = schedule.startNs();
    checkInterruption();
    while (!threads.awaitEnd(POLL_NS)) {
      checkInterruption();
      long nowNs = clock.nanoTime();
      overdueMost = Math.max(overdueMost, pacer.overdue(nowNs));
      if (nowNs - sampledNs >= view.interval().toNanos()) {
        view.running(sample(nowNs));
      }
      if (nowNs - schedule.untilNs() > drain.toNanos() + LIMIT_NS) {
        String waiting = threads.waiting();
        threads.interrupt();
        throw new LoadException(
            "A minute after the end of the run, callers still wait for answers: " + waiting);
      }
    }
    overdueMost = Math.max(overdueMost, pacer.overdue(clock.nanoTime()));
  }

  private void checkInterruption() {
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

  /** The most overdue cycles at any time. */
  long overdueMost() {
    return overdueMost;
  }

  /** Whether the run was interrupted. */
  boolean isCutShort() {
    return isCutShort;
  }
}
