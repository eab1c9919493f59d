package io.entroq.cluster.retention;

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
 * The thread that looks after a member's snapshots and log: has snapshots taken while the member
 * leads, tells the others of each that is complete, lets go of what nobody needs, and finds out
 * whether a member without a leader is too far behind.
 */
public final class MemberUpkeep implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(MemberUpkeep.class.getName());

  private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** While a wish has not come true. */
  private static final long WISH_NS = TimeUnit.SECONDS.toNanos(10);

  /** After what could not be done. */
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
  private long wishedNs = System.nanoTime() - WISH_NS;
  private volatile RetentionStats figures = RetentionStats.NONE;
  private volatile boolean isClosing;

  private MemberUpkeep(
      UpkeepTarget member, Retention retention, SnapshotReports reports, SpaceGuard space) {
    this.member = member;
    this.space = space;
    seed = new SeedUpkeep(member);
    this.reports = reports;
    snapshots = new LocalSnapshots(member);
    announcer = new SnapshotAnnouncer(member, reports);
    schedule = new SnapshotSchedule(retention);
    trimmer = new LogTrimmer(member, retention, reports, snapshots);
    catchUp = new CatchUpCheck(member);
    thread = new Thread(this::run, "entroq-upkeep-" + member.memberId());
    thread.setDaemon(true);
  }

  /**
   * Begins.
   *
   * @param space of the member's disk
   */
  public static MemberUpkeep start(
      UpkeepTarget member, Retention retention, SnapshotReports reports, SpaceGuard space) {
    MemberUpkeep upkeep = new MemberUpkeep(member, retention, reports, space);
    upkeep.thread.start();
    return upkeep;
  }

  /** Snapshots and log in numbers, not older than about a tenth of a second. Any thread. */
  public RetentionStats stats() {
    return figures;
  }

  private void run() {
    while (!isClosing) {
      try {
        look();
        LockSupport.parkNanos(PERIOD_NS);
      } catch (Throwable t) {
        error(t);
      }
    }
  }

  private void error(Throwable t) {
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
        "upkeep of member " + member.memberId() + " is tried again: " + t.getMessage(),
        t);
    LockSupport.parkNanos(RETRY_NS);
  }

  private void look() {
    if (seed.tell()) {
      // Nothing else can be before all have begun with the same.
      return;
    }
    if (snapshots.look()) {
      trimmer.recheck();
    }
    seed.look(snapshots.all().size());
    announcer.announce(snapshots.position());
    schedule();
    trimmer.trim();
    publish();
    catchUp.look();
  }

  private void schedule() {
    SnapshotSchedule.Situation now = situation();
    boolean isRequested = reports.takeSnapshotRequest();
    if (!member.leads()) {
      wish(now);
      return;
    }
    long nowNs = System.nanoTime();
    if (schedule.isDue(now, isRequested, nowNs) && member.askForSnapshot()) {
      schedule.asked(now, nowNs);
    }
  }

  /** Only the leader has snapshots taken, and knows nothing of this disk. */
  private void wish(SnapshotSchedule.Situation now) {
    long nowNs = System.nanoTime();
    if (schedule.isWantedForDisk(now) && nowNs - wishedNs >= WISH_NS && member.isInTouch()) {
      wishedNs = nowNs;
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

  /** Nothing either if the disk has no room for another snapshot, and its mirror. */
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
    figures =
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

  /** Ends the thread; blocks until then. */
  @Override
  public void close() {
    isClosing = true;
    LockSupport.unpark(thread);
    ThroughInterrupts.await(thread::join);
  }
}
