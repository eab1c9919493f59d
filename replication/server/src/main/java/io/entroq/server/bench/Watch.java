package io.entroq.server.bench;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Watches callers at work, and lets others see. For one thread. */
final class Watch {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long a caller may wait for an answer when the run is over before it is given up. */
  private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);

  private final BenchClock clock;
  private final Course course;
  private final Pace pace;
  private final Crew crew;
  private final Latencies latencies;
  private final long backlog;
  private final BenchView view;
  private final BooleanSupplier isInterrupted;

  private long sampledNs;
  private long sampledCycles;
  private long overdueMost;
  private boolean isCutShort;

  /**
   * @param backlog how many tasks there are before the callers begin
   */
  Watch(
      BenchClock clock,
      Course course,
      Pace pace,
      Crew crew,
      Latencies latencies,
      long backlog,
      BenchView view,
      BooleanSupplier isInterrupted) {
    this.clock = clock;
    this.course = course;
    this.pace = pace;
    this.crew = crew;
    this.latencies = latencies;
    this.backlog = backlog;
    this.view = view;
    this.isInterrupted = isInterrupted;
  }

  /**
   * Returns when all callers have ended.
   *
   * @throws BenchException if some do not
   */
  void untilOver() {
    sampledNs = course.startNs();
    lookForInterruption();
    while (!crew.awaitEnd(LOOK_NS)) {
      lookForInterruption();
      long nowNs = clock.nanoTime();
      overdueMost = Math.max(overdueMost, pace.overdue(nowNs));
      if (nowNs - sampledNs >= view.interval().toNanos()) {
        view.running(sample(nowNs));
      }
      if (nowNs - course.untilNs() > PATIENCE_NS) {
        throw new BenchException(
            "The run has been over for a minute, and callers still wait for answers: "
                + crew.waiting());
      }
    }
    overdueMost = Math.max(overdueMost, pace.overdue(clock.nanoTime()));
  }

  private void lookForInterruption() {
    if (!isCutShort && isInterrupted.getAsBoolean()) {
      isCutShort = true;
      crew.cutShort();
    }
  }

  private Sample sample(long nowNs) {
    Totals totals = crew.totals();
    double cyclesPerSecond = (totals.cycles() - sampledCycles) * 1e9 / (nowNs - sampledNs);
    sampledNs = nowNs;
    sampledCycles = totals.cycles();
    return new Sample(
        nowNs - course.startNs(),
        course.isMeasured(nowNs),
        cyclesPerSecond,
        latencies.interval().get(Operation.CYCLE),
        totals,
        backlog + totals.inserted() - totals.deleted(),
        pace.overdue(nowNs));
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
