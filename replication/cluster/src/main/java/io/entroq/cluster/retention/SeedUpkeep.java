package io.entroq.cluster.retention;

import io.entroq.cluster.service.StateDigest;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Announces the seed that this member started from until all members agree on it, and deletes it
 * when there are enough snapshots. Upkeep thread.
 */
final class SeedUpkeep {
  /** Before a lost announcement is repeated. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

  /** Two, because one may be damaged. */
  private static final int SNAPSHOTS_ENOUGH = 2;

  private final UpkeepTarget member;
  private boolean isAnnounced;
  private long announcedNs;
  private boolean isNewest;
  private boolean isDeleted;

  SeedUpkeep(UpkeepTarget member) {
    this.member = member;
  }

  /**
   * Announces the seed, repeatedly.
   *
   * @return whether the members have yet to agree
   */
  boolean announce() {
    Optional<StateDigest> seed = member.unconfirmedSeed();
    long nowNs = System.nanoTime();
    if (seed.isPresent() && (!isAnnounced || nowNs - announcedNs > RETRY_NS)) {
      isAnnounced = true;
      announcedNs = nowNs;
      member.sendSeed(seed.get());
    }
    return seed.isPresent();
  }

  /**
   * Deletes the seed if it is no longer needed.
   *
   * @param snapshots number of snapshots
   */
  void deleteIfObsolete(int snapshots) {
    if (snapshots >= SNAPSHOTS_ENOUGH && !isDeleted) {
      member.deleteSeed();
      isDeleted = true;
    }
    isNewest = snapshots == 0 && member.hasSeed();
  }

  /** Whether there is no snapshot after the seed; then one is due, for members without the seed. */
  boolean isNewest() {
    return isNewest;
  }
}
