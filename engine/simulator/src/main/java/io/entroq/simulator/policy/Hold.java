package io.entroq.simulator.policy;

import io.entroq.codec.message.ChangeModes;

/**
 * How a task is held. A task in flight is {@link #HELD} or {@link #SPOKEN}.
 *
 * <p>Time changes it too: see {@link #settled}. Everything else asks for the settled hold.
 */
public final class Hold {
  /** Nobody works on it. */
  public static final int NONE = 0;

  /** Claimed, and its holder has been silent since the claim or the last renewal. */
  public static final int HELD = 1;

  /** Claimed, and its holder has written content. */
  public static final int SPOKEN = 2;

  /** Available because the lease of a silent holder ended, and not written since. */
  public static final int LAPSED = 3;

  /** Failed, and waiting for its next attempt. */
  public static final int RESTING = 4;

  private int hold;
  private int lapses;
  private boolean isFailure;
  private boolean isSuccess;
  private boolean isDeferral;
  private boolean isTakenBack;

  public static boolean isInFlight(int hold) {
    return hold == HELD || hold == SPOKEN;
  }

  /** What a hold is once the task is available. */
  public static int settled(int hold) {
    return hold == HELD ? LAPSED : hold == LAPSED ? LAPSED : NONE;
  }

  /**
   * A change of a task as far as its hold depends on it.
   *
   * @param hold the settled hold before
   * @param lapses the lapses before
   * @param isHolders whether the requester is the stored claimant
   * @param hasFailed whether it raises the attempt
   * @param isMoved whether it goes into another queue
   * @param mode one of {@link ChangeModes}
   * @param isNewContent whether value, its kind or the error differ from before
   * @param lastHoldMs how long the task was held at most, by its last write: arrival minus modified
   * @param holdMs how long it is held from now on; not positive: not at all
   */
  public record Change(
      int hold,
      int lapses,
      boolean isHolders,
      boolean hasFailed,
      boolean isMoved,
      int mode,
      boolean isNewContent,
      long lastHoldMs,
      long holdMs) {

    private boolean isBack() {
      return hold == LAPSED && isHolders;
    }

    /** Whether it comes from whoever works on the task. */
    public boolean isOfWorker() {
      return isInFlight(hold) || isBack();
    }

    private boolean isLonger() {
      return lastHoldMs < holdMs - lastHoldMs;
    }
  }

  /** Applies a change; the getters say what it comes to. */
  public void apply(Change change) {
    isFailure = false;
    isSuccess = false;
    isDeferral = false;
    isTakenBack = false;
    boolean hasData = change.mode() != ChangeModes.LEASE && change.mode() != ChangeModes.TAKE_BACK;
    lapses = hasData ? 0 : change.lapses();
    hold = NONE;
    if (!change.isOfWorker()) {
      return;
    }
    if (change.mode() == ChangeModes.TAKE_BACK) {
      isTakenBack = true;
      return;
    }
    if (change.isMoved()) {
      lapses = 0;
      isFailure = change.hasFailed();
      isSuccess = !change.hasFailed();
    } else if (change.hasFailed()) {
      lapses = 0;
      isFailure = true;
      hold = change.holdMs() > 0 ? RESTING : NONE;
    } else if (change.holdMs() <= 0) {
      isSuccess = true;
    } else {
      applyHolding(change);
    }
  }

  private void applyHolding(Change change) {
    if (change.mode() == ChangeModes.RESET_CLAIMS) {
      isSuccess = true;
      isDeferral = true;
    } else if (change.mode() == ChangeModes.LEASE) {
      isDeferral = change.isLonger();
      if (!isDeferral) {
        renew(change, change.hold() == SPOKEN ? SPOKEN : HELD);
      }
    } else if (change.isNewContent()) {
      hold = SPOKEN;
    } else {
      renew(change, change.isLonger() || change.hold() == SPOKEN ? SPOKEN : HELD);
    }
  }

  private void renew(Change change, int to) {
    hold = to;
    lapses = change.isBack() ? change.lapses() - 1 : change.lapses();
  }

  public int hold() {
    return hold;
  }

  public int lapses() {
    return lapses;
  }

  /** Whether it counts as a failure of the queue that the task was in. */
  public boolean isFailure() {
    return isFailure;
  }

  /** Whether it ends a flight without a failure. */
  public boolean isSuccess() {
    return isSuccess;
  }

  /** Whether somebody ends a flight without knowing how the work went. */
  public boolean isTakenBack() {
    return isTakenBack;
  }

  /** Whether the worker wants the task back much later, so that it loses its place in order. */
  public boolean isDeferral() {
    return isDeferral;
  }
}
