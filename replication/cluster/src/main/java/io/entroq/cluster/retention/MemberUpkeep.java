package io.entroq.cluster.retention;

import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.service.SnapshotReports;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.space.SpaceGuard;
import io.entroq.engine.space.SpaceLevel;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that maintains a member's snapshots and log. While the member leads, it requests
 * snapshots. It announces each complete snapshot to the other members, deletes what none of them
 * needs, and ends a member that can no longer catch up.
 */
public final class MemberUpkeep implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(MemberUpkeep.class.getName());

  private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Between two requests to the leader. */
  private static final long REQUEST_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

  /** After an error. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(5);

  private final UpkeepTarget member;
  private final SpaceGuard space;
  private final SeedUpkeep seed;
  private final SnapshotReports reports;
  private final LocalSnapshots snapshots;
  private final SnapshotAnnouncer announcer;
  private final SnapshotSchedule schedule;
  private final LogTrimmer trimmer;
  private final CatchUpCheck catchUp;
  private final Thread thread;
  private long requestedNs = System.nanoTime() - REQUEST_INTERVAL_NS;
  private volatile RetentionStats stats = RetentionStats.NONE;
  private volatile boolean isClosing;

  private MemberUpkeep(
      UpkeepTarget member,
      Retention retention,
      SnapshotReports reports,
      ImageStore images,
      SpaceGuard space) {
    this.member = member;
    this.space = space;
    seed = new SeedUpkeep(member);
    this.reports = reports;
    snapshots = new LocalSnapshots(member, images);
    announcer = new SnapshotAnnouncer(member, reports);
    schedule = new SnapshotSchedule(retention);
    trimmer = new LogTrimmer(member, retention, reports, snapshots);
    catchUp = new CatchUpCheck(member);
    thread = new Thread(this::run, "entroq-upkeep-" + member.memberId());
    thread.setDaemon(true);
  }

  /**
   * Starts the thread.
   *
   * @param images of the member
   * @param space of the member's disk
   */
  public static MemberUpkeep start(
      UpkeepTarget member,
      Retention retention,
      SnapshotReports reports,
      ImageStore images,
      SpaceGuard space) {
    MemberUpkeep upkeep = new MemberUpkeep(member, retention, reports, images, space);
    upkeep.thread.start();
    return upkeep;
  }

  /** Statistics, at most about a tenth of a second old. Any thread. */
  public RetentionStats stats() {
    return stats;
  }

  private void run() {
    while (!isClosing) {
      try {
        runOnce();
        LockSupport.parkNanos(PERIOD_NS);
      } catch (Throwable t) {
        onError(t);
      }
    }
  }

  private void onError(Throwable t) {
    if (isClosing) {
      return;
    }
    if (t instanceof BehindException) {
      isClosing = true;
      member.fail(t);
      return;
    }
    LOGGER.log(
        Level.WARNING,
        "upkeep of member " + member.memberId() + " failed and is retried: " + t.getMessage(),
        t);
    LockSupport.parkNanos(RETRY_NS);
  }

  private void runOnce() {
    if (seed.announce()) {
      // Nothing else happens before the members agree on the seed.
      return;
    }
    member.requestStop();
    if (member.isClosed()) {
      // The last snapshot is that of the stop, and nothing is deleted any more.
      return;
    }
    if (snapshots.refresh()) {
      trimmer.recheck();
    }
    seed.deleteIfObsolete(snapshots.all().size());
    announcer.announce(snapshots.position());
    takeSnapshotIfDue();
    trimmer.trim();
    publish();
    catchUp.checkIfDue();
  }

  private void takeSnapshotIfDue() {
    SnapshotSchedule.Situation now = situation();
    boolean isRequested = reports.takeSnapshotRequest();
    if (!member.isLeader()) {
      requestForDisk(now);
      return;
    }
    long nowNs = System.nanoTime();
    if (schedule.isDue(now, isRequested, nowNs) && member.takeSnapshot()) {
      schedule.onRequested(now, nowNs);
    }
  }

  /** Asks the leader for a snapshot if this disk is low, which the leader does not see. */
  private void requestForDisk(SnapshotSchedule.Situation now) {
    long nowNs = System.nanoTime();
    if (schedule.isWantedForDisk(now)
        && nowNs - requestedNs >= REQUEST_INTERVAL_NS
        && member.hasLeader()) {
      requestedNs = nowNs;
      member.requestSnapshot();
    }
  }

  private SnapshotSchedule.Situation situation() {
    return new SnapshotSchedule.Situation(
        snapshots.position(),
        seed.isNewest() ? Long.MAX_VALUE : snapshots.ageMs(),
        member.commitPosition(),
        hasWritten(),
        member.snapshots().bytes(),
        member.snapshots().pauseNs(),
        logBytesLow());
  }

  /** Also 0 if the disk has no room for another snapshot and its mirror. */
  private long logBytesLow() {
    long usableBytes = space.usableBytes();
    boolean isLow = space.level(usableBytes) != SpaceLevel.ENOUGH;
    boolean hasRoom = usableBytes - 2 * member.snapshots().bytes() > space.floorBytes();
    return isLow && hasRoom ? member.commitPosition() - snapshots.positionBefore() : 0;
  }

  private boolean hasWritten() {
    StateDigest digest = reports.held().digests().get(snapshots.position());
    return member.appliedSequence() > (digest == null ? 0 : digest.sequence());
  }

  private void publish() {
    long position = snapshots.position();
    long end = member.commitPosition();
    stats =
        new RetentionStats(
            member.snapshots(),
            position,
            position == 0 ? 0 : Math.max(0, snapshots.ageMs()),
            snapshots.all().size(),
            Math.max(0, end - position),
            Math.max(0, end - trimmer.start()),
            trimmer.bytesFreed(),
            trimmer.lagging(),
            reports.held().divergences());
  }

  /** Ends the thread and waits for it. */
  @Override
  public void close() {
    isClosing = true;
    LockSupport.unpark(thread);
    ThroughInterrupts.await(thread::join);
  }
}
