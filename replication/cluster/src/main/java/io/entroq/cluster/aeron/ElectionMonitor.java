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
 * Tells why an election has begun, why this member could not join the cluster, once for each of the
 * first reasons, and how the election has ended. Called by the thread of the consensus module
 * between two steps.
 */
public final class ElectionMonitor extends StallMonitor {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  /** Those of an election that begins anew again and again are without number. */
  private static final int STEPS_MAX = 12;

  /** Reasons with figures in them are other ones each time, for as long as a member cannot join. */
  private static final int REASONS_MAX = 16;

  private final Election election;
  private final long heartbeatTimeoutNs;
  private final List<String> steps = new ArrayList<>();
  private final Set<String> reasonsTold = new HashSet<>();

  /** Null before the first look. */
  private ElectionState state;

  /** What went wrong in the step that has just ended; empty: nothing. */
  private String reason = "";

  /** Nobody else tells of it. */
  private boolean isEvent;

  private String toldEvent = "";

  private long beganNs;
  private long enteredNs;
  private long patienceNs;
  private int attempts;

  /** What is known of an election. Thread of the consensus module. */
  public interface Election {
    /** Code of an {@link ElectionState}. */
    long state();

    /** Whether this member leads. */
    boolean isLeader();

    /** The term that it is in. */
    long termId();
  }

  /**
   * A watch of one consensus module.
   *
   * @param thresholdNs what counts as a stall of the thread
   * @param heartbeatTimeoutNs after which silence a follower votes
   * @param nanoTime as {@link System#nanoTime} tells time
   * @param told hears of it
   */
  public ElectionMonitor(
      Election election,
      long thresholdNs,
      long heartbeatTimeoutNs,
      LongSupplier nanoTime,
      Consumer<String> told) {
    super("consensus module", thresholdNs, nanoTime, told);
    this.election = election;
    this.heartbeatTimeoutNs = heartbeatTimeoutNs;
  }

  /** Something that may be why an election begins, or has to begin anew. Same thread. */
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
      remind(nanoTime());
    }
    if (!reason.isEmpty()) {
      tellEvent();
    }
  }

  /** No election has come of it. */
  private void tellEvent() {
    if (isEvent && !reason.equals(toldEvent)) {
      toldEvent = reason;
      tell("says: " + reason);
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
      steps.add(state + " " + millis(nowNs - enteredNs));
    }
    if (next == ElectionState.CLOSED && state != null) {
      end(nowNs);
    } else if (next == ElectionState.INIT && state != null && state != ElectionState.CLOSED) {
      failed(nowNs);
    }
    state = next;
    enteredNs = nowNs;
  }

  private void begin(ElectionState next, long nowNs) {
    beganNs = nowNs;
    patienceNs = PATIENCE_NS;
    attempts = 1;
    steps.clear();
    reasonsTold.clear();
    if (state == null) {
      tell("looks for a leader, as it starts");
    } else if (next != ElectionState.CLOSED) {
      tell("votes in term %d%s%s".formatted(election.termId(), because(), ownStall(nowNs)));
    }
    reason = "";
  }

  private String because() {
    return reason.isEmpty()
        ? ""
        : ": %s (heartbeat time-out %s)".formatted(reason, millis(heartbeatTimeoutNs));
  }

  /** Whoever has stood still himself has not heard what others said meanwhile. */
  private String ownStall(long nowNs) {
    long stallNs = stallWithin(2 * heartbeatTimeoutNs, nowNs);
    return stallNs == 0 ? "" : ". Its own consensus module had stood still for " + millis(stallNs);
  }

  private void failed(long nowNs) {
    attempts++;
    if (reasonsTold.size() < REASONS_MAX && reasonsTold.add(reason)) {
      tell(
          "could not join the cluster: %s, after %s in %s. It tries again"
              .formatted(
                  reason.isEmpty() ? "for a reason that is not known" : reason,
                  millis(nowNs - enteredNs),
                  state));
    }
    reason = "";
  }

  private void end(long nowNs) {
    tell(
        "%s in term %d, after %s and %s: %s"
            .formatted(
                election.isLeader() ? "leads" : "follows a leader",
                election.termId(),
                millis(nowNs - beganNs),
                attempts(),
                String.join(", ", steps)));
    reason = "";
  }

  private void remind(long nowNs) {
    if (nowNs - beganNs >= patienceNs) {
      patienceNs *= 2;
      tell(
          "has had no leader for %s and %s; it is in %s"
              .formatted(millis(nowNs - beganNs), attempts(), state));
    }
  }

  private String attempts() {
    return attempts == 1 ? "1 attempt" : attempts + " attempts";
  }

  private static String millis(long ns) {
    return "%,d ms".formatted(TimeUnit.NANOSECONDS.toMillis(ns));
  }
}
