package io.entroq.cluster.retention;

import io.entroq.cluster.service.SnapshotReport;
import io.entroq.cluster.service.SnapshotReports;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.ThroughInterrupts;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that looks after a member's snapshots and log: has snapshots taken while the member
 * leads, tells the others of each that is complete, and lets go of what nobody needs, a little at a
 * time, since the archive can do nothing else meanwhile.
 */
public final class MemberUpkeep implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(MemberUpkeep.class.getName());

  private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Between two lots that are deleted. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /** After a vote nothing is deleted for a while: members may want to catch up. */
  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(2);

  /** After what could not be done. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(5);

  /** Without a leader for so long, a member asks whether it may be too far behind. */
  private static final long LONELY_NS = TimeUnit.SECONDS.toNanos(5);

  /** Deleted at once. */
  private static final int SEGMENTS_MAX = 4;

  private final Upkept member;
  private final Retention retention;
  private final SnapshotReports reports;
  private final RecordingLogFile recordingLog;
  private final SnapshotSchedule schedule;
  private final Thread thread;
  private final long beganMs;

  private List<RaftSnapshot> snapshots = List.of();
  private long snapshotCount = -1;
  private long toldPosition = SnapshotReports.NONE;
  private long toldNs;
  private long inTouchNs = System.nanoTime();
  private long nextTrimNs = System.nanoTime();
  private long trimmedFor = -1;
  private boolean isTidy;
  private long logStart;
  private long logBytesFreed;
  private SortedSet<Integer> behind = new TreeSet<>();
  private volatile RetentionFigures figures = RetentionFigures.NONE;
  private volatile boolean isClosing;

  private MemberUpkeep(Upkept member, Retention retention, SnapshotReports reports) {
    this.member = member;
    this.retention = retention;
    this.reports = reports;
    recordingLog = new RecordingLogFile(member.clusterDirectory());
    schedule = new SnapshotSchedule(retention);
    beganMs = member.timeMs();
    thread = new Thread(this::run, "entroq-upkeep-" + member.memberId());
    thread.setDaemon(true);
  }

  /** Begins. */
  public static MemberUpkeep start(Upkept member, Retention retention, SnapshotReports reports) {
    MemberUpkeep upkeep = new MemberUpkeep(member, retention, reports);
    upkeep.thread.start();
    return upkeep;
  }

  /** Snapshots and log in numbers, not older than about a tenth of a second. Any thread. */
  public RetentionFigures figures() {
    return figures;
  }

  private void run() {
    while (!isClosing) {
      try {
        look();
        LockSupport.parkNanos(PERIOD_NS);
      } catch (Throwable t) {
        trouble(t);
      }
    }
  }

  private void trouble(Throwable t) {
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
    takeStock();
    report();
    schedule();
    trim();
    publish();
    askWhetherBehind();
  }

  private void takeStock() {
    long count = member.snapshotCount();
    if (count != snapshotCount) {
      snapshots = recordingLog.snapshots();
      snapshotCount = count;
      isTidy = false;
    }
  }

  /** Says that there is a snapshot until that has come out of the log. */
  private void report() {
    SnapshotReports.Held held = reports.held();
    long position = position();
    StateDigest digest = held.digests().get(position);
    if (digest == null || held.positions().get(member.memberId()) >= position) {
      return;
    }
    long nowNs = System.nanoTime();
    if (toldPosition != position || nowNs - toldNs > RETRY_NS) {
      toldPosition = position;
      toldNs = nowNs;
      member.tell(new SnapshotReport(member.memberId(), position, digest));
    }
  }

  private long position() {
    return snapshots.isEmpty() ? 0 : snapshots.get(snapshots.size() - 1).position();
  }

  private void schedule() {
    if (!member.leads()) {
      return;
    }
    SnapshotSchedule.Situation now =
        new SnapshotSchedule.Situation(
            position(),
            member.timeMs() - newestMs(),
            member.commitPosition(),
            hasWritten(),
            member.snapshots().bytes(),
            member.snapshots().pauseNs());
    long nowNs = System.nanoTime();
    if (schedule.isDue(now, nowNs) && member.askForSnapshot()) {
      schedule.asked(now, nowNs);
    }
  }

  private long newestMs() {
    return snapshots.isEmpty() ? beganMs : snapshots.get(snapshots.size() - 1).timeMs();
  }

  private boolean hasWritten() {
    StateDigest digest = reports.held().digests().get(position());
    return member.appliedSequence() > (digest == null ? 0 : digest.sequence());
  }

  private void trim() {
    long nowNs = System.nanoTime();
    if (!member.isInTouch()) {
      nextTrimNs = nowNs + SETTLE_NS;
    }
    if (nowNs - nextTrimNs < 0) {
      return;
    }
    LogNeed need = LogNeed.of(reports.held().positions(), member.commitPosition(), logBytesMax());
    tellOf(need.behind());
    Keeping keeping = Keeping.of(snapshots, need.position());
    if (isTidy && keeping.logPosition() == trimmedFor) {
      return;
    }
    strikeOut(keeping.others(snapshots));
    try (RaftArchive archive = new RaftArchive(member.archive())) {
      boolean isLogTidy = trimLog(archive, keeping.logPosition());
      isTidy = dropSnapshots(archive, keeping) && isLogTidy;
      trimmedFor = keeping.logPosition();
    }
    nextTrimNs = System.nanoTime() + (isTidy ? 0 : PAUSE_NS);
  }

  /** Large states have few snapshots: a member may be one of them behind. */
  private long logBytesMax() {
    return Math.max(retention.logBytesMax(), 2 * member.snapshots().bytes());
  }

  private void tellOf(SortedSet<Integer> nowBehind) {
    for (int id : nowBehind) {
      if (!behind.contains(id)) {
        LOGGER.log(
            Level.WARNING,
            "Member {0} has not reported a snapshot for more than {1} bytes of log (logBytesMax)."
                + " No more is kept for it: if it is down and does not come back at once, it has to"
                + " be replaced from a healthy member",
            id,
            logBytesMax());
      }
    }
    behind = nowBehind;
  }

  private void strikeOut(List<RaftSnapshot> unused) {
    if (!unused.isEmpty()) {
      recordingLog.strikeOut(unused);
      snapshots = recordingLog.snapshots();
    }
  }

  /** Whether all is done. */
  private boolean trimLog(RaftArchive archive, long neededPosition) {
    RaftArchive.Recording log = archive.log().orElse(null);
    if (log == null) {
      return true;
    }
    long begins = archive.trim(log, neededPosition, SEGMENTS_MAX);
    logBytesFreed += begins - log.startPosition();
    logStart = begins;
    return begins >= log.segmentAt(neededPosition);
  }

  /**
   * Whether all is done. What no entry names counts too: it was struck out before an end of this
   * process, or never finished.
   */
  private static boolean dropSnapshots(RaftArchive archive, Keeping keeping) {
    int left = SEGMENTS_MAX;
    boolean isDone = true;
    for (RaftArchive.Recording recording : archive.recordings()) {
      if (left > 0 && isUnused(recording, keeping)) {
        int deleted = archive.delete(recording, left);
        left -= deleted;
        isDone &= deleted > 0;
      }
    }
    return isDone && left > 0;
  }

  private static boolean isUnused(RaftArchive.Recording recording, Keeping keeping) {
    return recording.isOfSnapshot()
        && recording.stopPosition() >= 0
        && recording.id() < keeping.firstRecording();
  }

  private void publish() {
    SnapshotReports.Held held = reports.held();
    long position = position();
    long end = member.commitPosition();
    figures =
        new RetentionFigures(
            member.snapshots(),
            position,
            snapshots.isEmpty() ? 0 : Math.max(0, member.timeMs() - newestMs()),
            snapshots.size(),
            Math.max(0, end - position),
            Math.max(0, end - logStart),
            logBytesFreed,
            behind,
            held.disagreements());
  }

  private void askWhetherBehind() {
    long nowNs = System.nanoTime();
    if (member.isInTouch()) {
      inTouchNs = nowNs;
    } else if (nowNs - inTouchNs > LONELY_NS) {
      inTouchNs = nowNs;
      CatchUpCheck.look(member)
          .ifPresent(
              found -> {
                throw found;
              });
    }
  }

  /** Ends the thread; blocks until then. */
  @Override
  public void close() {
    isClosing = true;
    LockSupport.unpark(thread);
    ThroughInterrupts.await(thread::join);
  }
}
