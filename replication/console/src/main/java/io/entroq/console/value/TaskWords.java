package io.entroq.console.value;

import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.Task;

/** What state a task is in, in plain words. */
public final class TaskWords {
  private TaskWords() {}

  /** Whether somebody other than a claimant holds the task, so that only they may change it. */
  public static boolean isHeldByAnother(Task task, String claimant, long nowMs) {
    return isHeld(task, nowMs) && !task.getClaimantId().equals(claimant);
  }

  private static boolean isHeld(Task task, long nowMs) {
    return task.getAtMs() > nowMs && !task.getClaimantId().isEmpty();
  }

  /** Its state: a sentence without a period. */
  public static String state(Task task, long nowMs) {
    if (task.getInFlight()) {
      return "Claimed by %s; its lease ends %s"
          .formatted(task.getClaimantId(), TimeText.relative(task.getAtMs(), nowMs));
    }
    if (isHeld(task, nowMs) && task.getClaims() > 0) {
      return "Held by %s; available %s"
          .formatted(task.getClaimantId(), TimeText.relative(task.getAtMs(), nowMs));
    }
    if (task.getAtMs() > nowMs) {
      return "%s; available %s"
          .formatted(
              task.getAttempt() > 0 ? "Resting after a failure" : "Not due yet",
              TimeText.relative(task.getAtMs(), nowMs));
    }
    return task.getReason() == DeadReason.DEAD_NONE
        ? "Available for " + TimeText.duration(nowMs - task.getAtMs())
        : "Dead: " + reason(task.getReason());
  }

  /** One word for the state, for a column. */
  public static String shortState(Task task, long nowMs) {
    if (task.getInFlight()) {
      return "claimed";
    }
    if (task.getAtMs() > nowMs) {
      if (isHeld(task, nowMs) && task.getClaims() > 0) {
        return "held";
      }
      return task.getAttempt() > 0 ? "resting" : "not due";
    }
    return task.getReason() == DeadReason.DEAD_NONE ? "available" : "dead";
  }

  /** Why the server moved a task to a dead queue. */
  public static String reason(DeadReason reason) {
    return switch (reason) {
      case DEAD_FAILED -> "failed too often";
      case DEAD_LAPSED -> "its lease ended too often without an outcome";
      case DEAD_EXPIRED -> "expired";
      case DEAD_OVERFLOW -> "its queue was full";
      case DEAD_NONE, UNRECOGNIZED -> "moved by a client";
    };
  }
}
