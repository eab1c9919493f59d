package io.entroq.cluster.aeron;

import io.aeron.cluster.ElectionState;
import io.aeron.cluster.client.ClusterEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reports why an election started, why this member could not join the cluster (the first distinct
 * reasons), and how the election ended. Called by the consensus module's thread in each {@link
 * ConsensusCycle}.
 */
public final class ElectionMonitor extends StallMonitor {
  /** A long election is reported after this time, and again each time that its length doubles. */
  private static final long REMINDER_NS = TimeUnit.SECONDS.toNanos(10);

  /** An election that keeps restarting has any number of steps; the last ones are reported. */
  private static final int STEPS_MAX = 12;

  /** Reasons that contain numbers never repeat, so their count is limited too. */
  private static final int REASONS_MAX = 16;

  private final Election election;
  private final long heartbeatTimeoutNs;
  private final List<String> steps = new ArrayList<>();
  private final Set<String> reportedReasons = new HashSet<>();

  /** Null before the first duty cycle. */
  private ElectionState state;

  /** What went wrong in the last duty cycle; empty if nothing did. */
  private String reason = "";

  /** Whether the reason is an event, which no other log message reports. */
  private boolean isEvent;

  private String reportedEvent = "";
  private long startNs;
  private long stateStartNs;
  private long reminderNs;
  private int attempts;

  /** The consensus module's counters. Its thread. */
  public interface Election {
    /** The code of an {@link ElectionState}. */
    long state();

    boolean isLeader();

    long termId();
  }

  /**
   * @param thresholdNs the shortest pause of the thread that counts as a stall
   * @param heartbeatTimeoutNs after this time without a heartbeat a follower starts an election
   * @param nanoTime the time source, like {@link System#nanoTime}
   * @param log receives the messages
   */
  public ElectionMonitor(
      Election election,
      long thresholdNs,
      long heartbeatTimeoutNs,
      LongSupplier nanoTime,
      Consumer<String> log) {
    super("consensus module", thresholdNs, nanoTime, log);
    this.election = election;
    this.heartbeatTimeoutNs = heartbeatTimeoutNs;
  }

  /** The state in the last duty cycle. Same thread. */
  ElectionState state() {
    return state;
  }

  /** Records a possible cause of an election, or of its restart. Same thread. */
  public void onError(Throwable error) {
    reason = String.valueOf(error.getMessage());
    isEvent = error instanceof ClusterEvent;
  }

  @Override
  public void reportMeasurement(long durationNs) {
    super.reportMeasurement(durationNs);
    long code = election.state();
    if (state == null || code != state.code()) {
      change(ElectionState.get(code), nanoTime());
    } else if (state != ElectionState.CLOSED) {
      reportLongElection(nanoTime());
    }
    if (!reason.isEmpty()) {
      reportEvent();
    }
  }

  /** Reports an event that caused no election. */
  private void reportEvent() {
    if (isEvent && !reason.equals(reportedEvent)) {
      reportedEvent = reason;
      report("reports: " + reason);
    }
    reason = "";
  }

  private void change(ElectionState next, long nowNs) {
    if (state == null || state == ElectionState.CLOSED) {
      begin(next, nowNs);
    } else {
      if (steps.size() == STEPS_MAX) {
        steps.remove(0);
      }
      steps.add(state + " " + millis(nowNs - stateStartNs));
    }
    if (next == ElectionState.CLOSED && state != null) {
      end(nowNs);
    } else if (next == ElectionState.INIT && state != null && state != ElectionState.CLOSED) {
      failed(nowNs);
    }
    state = next;
    stateStartNs = nowNs;
  }

  private void begin(ElectionState next, long nowNs) {
    startNs = nowNs;
    reminderNs = REMINDER_NS;
    attempts = 1;
    steps.clear();
    reportedReasons.clear();
    if (state == null) {
      report("starts and looks for a leader");
    } else if (next != ElectionState.CLOSED) {
      report(
          "starts an election in term %d%s%s"
              .formatted(election.termId(), cause(), ownStall(nowNs)));
    }
    reason = "";
  }

  private String cause() {
    return reason.isEmpty()
        ? ""
        : ": %s (heartbeat timeout %s)".formatted(reason, millis(heartbeatTimeoutNs));
  }

  /** A member whose own thread stalled missed heartbeats that were sent. */
  private String ownStall(long nowNs) {
    long stallNs = stallWithin(2 * heartbeatTimeoutNs, nowNs);
    return stallNs == 0 ? "" : ". Its own consensus module stalled for " + millis(stallNs);
  }

  private void failed(long nowNs) {
    attempts++;
    if (reportedReasons.size() < REASONS_MAX && reportedReasons.add(reason)) {
      report(
          "could not join the cluster: %s, after %s in %s. It retries"
              .formatted(
                  reason.isEmpty() ? "unknown reason" : reason,
                  millis(nowNs - stateStartNs),
                  state));
    }
    reason = "";
  }

  private void end(long nowNs) {
    report(
        "%s in term %d after %s and %s: %s"
            .formatted(
                election.isLeader() ? "leads" : "follows a leader",
                election.termId(),
                millis(nowNs - startNs),
                attempts(),
                String.join(", ", steps)));
    reason = "";
  }

  private void reportLongElection(long nowNs) {
    if (nowNs - startNs >= reminderNs) {
      reminderNs *= 2;
      report(
          "has had no leader for %s and %s; it is in state %s"
              .formatted(millis(nowNs - startNs), attempts(), state));
    }
  }

  private String attempts() {
    return attempts == 1 ? "1 attempt" : attempts + " attempts";
  }

  private static String millis(long ns) {
    return "%,d ms".formatted(TimeUnit.NANOSECONDS.toMillis(ns));
  }
}
