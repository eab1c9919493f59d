package io.entroq.cluster.retention;

import io.entroq.cluster.service.StateDigest;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Looks after the backup that a cluster has begun with: says to all which it is until they have
 * agreed, and lets go of it once there are snapshots enough. Upkeep thread.
 */
final class SeedUpkeep {
  /** What nobody has heard is said again. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

  /** One may turn out to be damaged. */
  private static final int SNAPSHOTS_ENOUGH = 2;

  private final UpkeepTarget member;
  private boolean isTold;
  private long toldNs;
  private boolean isNewest;
  private boolean isDropped;

  SeedUpkeep(UpkeepTarget member) {
    this.member = member;
  }

  /**
   * Says which it is, now and then.
   *
   * @return whether that is still to be agreed on
   */
  boolean tell() {
    Optional<StateDigest> open = member.openSeed();
    long nowNs = System.nanoTime();
    if (open.isPresent() && (!isTold || nowNs - toldNs > RETRY_NS)) {
      isTold = true;
      toldNs = nowNs;
      member.tellSeed(open.get());
    }
    return open.isPresent();
  }

  /**
   * Removes it if it is not needed any more.
   *
   * @param snapshots how many there are
   */
  void look(int snapshots) {
    if (snapshots >= SNAPSHOTS_ENOUGH && !isDropped) {
      member.dropSeed();
      isDropped = true;
    }
    isNewest = snapshots == 0 && member.hasSeed();
  }

  /** Whether there is nothing else yet: then a snapshot is due, for members that lack it. */
  boolean isNewest() {
    return isNewest;
  }
}
