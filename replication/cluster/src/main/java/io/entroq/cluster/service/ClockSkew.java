package io.entroq.cluster.service;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How far the leader's clock, which log time follows, is from this member's. Both can be wrong: if
 * most members say the same of the leader, it is the leader's. Applying thread, except where noted.
 */
public final class ClockSkew {
  /** Far more than clocks differ that a time service sets. */
  public static final long LIMIT_MS = TimeUnit.SECONDS.toMillis(30);

  /** For so long the clocks must differ without a break. */
  static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(10);

  private static final int UNKNOWN = -1;

  private final int memberId;
  private final LongSupplier wallMs;
  private final LongSupplier nanoTime;
  private final Consumer<String> warning;
  private int leaderId = UNKNOWN;

  /** Since when the clocks differ; meaningful only while {@link #isDifferent}. */
  private long differentNs;

  private boolean isDifferent;
  private boolean isReported;
  private volatile long aheadMs;

  /**
   * @param memberId this member
   * @param wallMs this member's wall clock
   * @param warning called with a text, once for each time that the clocks begin to differ
   */
  public ClockSkew(
      int memberId, LongSupplier wallMs, LongSupplier nanoTime, Consumer<String> warning) {
    this.memberId = memberId;
    this.wallMs = wallMs;
    this.nanoTime = nanoTime;
    this.warning = warning;
  }

  /** Another leader may have another clock. */
  public void onLeader(int id) {
    leaderId = id;
    isDifferent = false;
    isReported = false;
    aheadMs = 0;
  }

  /**
   * Compares the leader's time of a message with this member's. A message that was read late looks
   * like that of a leader whose clock is behind, so only those are compared that were not.
   */
  public void compare(long leaderMs) {
    if (leaderId == UNKNOWN || leaderId == memberId) {
      return;
    }
    long ahead = leaderMs - wallMs.getAsLong();
    aheadMs = ahead;
    if (Math.abs(ahead) < LIMIT_MS) {
      isDifferent = false;
      isReported = false;
      return;
    }
    long nowNs = nanoTime.getAsLong();
    if (!isDifferent) {
      isDifferent = true;
      differentNs = nowNs;
    } else if (!isReported && nowNs - differentNs >= WINDOW_NS) {
      isReported = true;
      warning.accept(text(ahead));
    }
  }

  private String text(long ahead) {
    return ("The clock of member %d, the leader, is %d s %s that of this member, %d. Set the one that"
            + " is wrong: the leader's if other members say the same. Leases and due times follow the"
            + " leader's clock")
        .formatted(
            leaderId,
            TimeUnit.MILLISECONDS.toSeconds(Math.abs(ahead)),
            ahead > 0 ? "ahead of" : "behind",
            memberId);
  }

  /** How far the leader was ahead when last compared; 0 if it was not. Any thread. */
  public long aheadMs() {
    return aheadMs;
  }
}
