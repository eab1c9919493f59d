package io.entroq.service.insight;

import io.entroq.codec.wire.edge.Problem;
import io.entroq.service.insight.sweep.SweepColumn;
import io.entroq.service.insight.sweep.SweepColumns;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Finds what is wrong, by {@link ProblemRule}. What lasts for a while before it is an alert is
 * shown at once. Not thread-safe.
 */
final class Problems {
  private static final int MAX = 100;

  /** Of a rule, since many queues may have the same problem. */
  private static final int OF_RULE_MAX = 20;

  private static final int SHORT_MINUTES = 5;
  private static final int MINUTES = 30;
  private static final int LONG_MINUTES = 60;

  private final Map<ProblemRule, List<Problem>> found = new EnumMap<>(ProblemRule.class);

  /** The most urgent first. */
  List<Problem> toList() {
    return found.values().stream().flatMap(List::stream).limit(MAX).toList();
  }

  private void add(ProblemRule rule, double value, String queue, Supplier<String> text) {
    if (value > rule.threshold()) {
      List<Problem> ofRule = found.computeIfAbsent(rule, first -> new ArrayList<>());
      if (ofRule.size() < OF_RULE_MAX) {
        ofRule.add(
            Problem.newBuilder()
                .setAlert(rule.alert())
                .setSeverity(rule.severity().name().toLowerCase(Locale.ROOT))
                .setQueue(queue)
                .setText(text.get())
                .build());
      }
    }
  }

  private void add(ProblemRule rule, long value, String queue, Supplier<String> text) {
    add(rule, (double) value, queue, text);
  }

  private void addIf(ProblemRule rule, boolean isSo, String text) {
    add(rule, isSo ? Double.MAX_VALUE : Double.NEGATIVE_INFINITY, "", () -> text);
  }

  /** Looks at the server. */
  void server(ServerFigures now, ServerHistory history, long minute) {
    addIf(ProblemRule.NO_LEADER, !now.hasLeader(), "this server has no leader: writes wait");
    addIf(ProblemRule.DISK_FULL, now.isDiskFull(), "the disk is full: all writes are refused");
    addIf(ProblemRule.DISK_LOW, now.isDiskLow(), "disk space is low: inserts are refused");
    long refused = history.increase(now, minute, SHORT_MINUTES, ServerFigures::refusedForMemory);
    add(
        ProblemRule.MEMORY,
        refused,
        "",
        () -> "%,d writes were refused in 5 minutes: out of memory for tasks".formatted(refused));
    add(
        ProblemRule.DISAGREE,
        history.increase(now, minute, LONG_MINUTES, ServerFigures::disagreements),
        "",
        () -> "members have different states");
    add(
        ProblemRule.BEHIND,
        now.lagBytes(),
        "",
        () -> "this server lags behind its cluster by %,d bytes".formatted(now.lagBytes()));
    long failed = history.increase(now, minute, LONG_MINUTES, ServerFigures::snapshotsFailed);
    add(
        ProblemRule.SNAPSHOTS_FAIL,
        failed,
        "",
        () -> "%,d snapshots failed within an hour".formatted(failed));
    long forces = history.increase(now, minute, SHORT_MINUTES, ServerFigures::forces);
    long forceNs = history.increase(now, minute, SHORT_MINUTES, ServerFigures::forceNs);
    double forceS = forces == 0 ? 0 : (double) forceNs / forces / TimeUnit.SECONDS.toNanos(1);
    add(
        ProblemRule.FORCES_SLOW,
        forceS,
        "",
        () ->
            "the disk needs %.0f ms for a force".formatted(forceS * TimeUnit.SECONDS.toMillis(1)));
  }

  /** Looks at what was counted. */
  void rates(RateBook rates, Moment moment) {
    long minute = moment.lastPoint(rates, RateStep.MINUTE);
    rates
        .deadQueues()
        .forEach(
            queue -> {
              long growth = moment.growth(rates, queue, MINUTES);
              add(
                  ProblemRule.QUARANTINE_GROWS,
                  growth,
                  queue.text(),
                  () -> "%s grows: %+,d dead tasks in 30 minutes".formatted(queue.text(), growth));
            });
    rates.forEachSeries(
        queue -> {
          long lapsed = queue.series.sum(RateStep.MINUTE, minute, MINUTES, Event.LAPSED);
          add(
              ProblemRule.LEASES_LAPSE,
              lapsed,
              queue.text(),
              () -> "%,d leases of %s lapsed in 30 minutes".formatted(lapsed, queue.text()));
          long dead = queue.series.sum(RateStep.MINUTE, minute, MINUTES, Event.DEAD);
          add(
              ProblemRule.TASKS_DIE,
              dead,
              queue.text(),
              () -> "%,d tasks of %s died in 30 minutes".formatted(dead, queue.text()));
        });
  }

  /**
   * Looks at all queues.
   *
   * @param dead the rows of dead queues, in which tasks wait for people
   */
  void queues(SweepColumns queues, BitSet dead, long ageNs) {
    long ageS = TimeUnit.NANOSECONDS.toSeconds(ageNs);
    add(
        ProblemRule.QUEUES_UNKNOWN,
        ageS,
        "",
        () -> "the figures of queues are %,d seconds old".formatted(ageS));
    for (int row = 0; row < queues.size(); row++) {
      long ready = queues.value(SweepColumn.READY, row);
      long pausedMs = queues.value(SweepColumn.PAUSED_UNTIL_MS, row);
      long oldestS = TimeUnit.MILLISECONDS.toSeconds(queues.value(SweepColumn.OLDEST_AGE_MS, row));
      long claims = queues.value(SweepColumn.MAX_CLAIMS, row);
      boolean isPaused = pausedMs == Long.MAX_VALUE;
      boolean isIdle = !isPaused && !dead.get(row);
      if (isIdle && oldestS > ProblemRule.OLDEST_WAITS.threshold()) {
        String name = queues.name(row);
        add(
            ProblemRule.OLDEST_WAITS,
            oldestS,
            name,
            () ->
                "nobody claims from %s: the oldest task waits for %,d minutes"
                    .formatted(name, TimeUnit.SECONDS.toMinutes(oldestS)));
      }
      if (isPaused && ready > 0) {
        String name = queues.name(row);
        add(
            ProblemRule.PAUSED,
            ready,
            name,
            () -> "%s is paused, with %,d tasks".formatted(name, ready));
      }
      if (pausedMs != 0 && !isPaused) {
        String name = queues.name(row);
        add(ProblemRule.BREAKER_OPEN, 1, name, () -> name + " rests: its breaker has opened");
      }
      if (claims > ProblemRule.CLAIMED_AGAIN.threshold()) {
        String name = queues.name(row);
        add(
            ProblemRule.CLAIMED_AGAIN,
            claims,
            name,
            () -> "a task of %s was claimed %,d times".formatted(name, claims));
      }
    }
  }
}
