package io.entroq.cluster.service;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.SnapshotDurationTracker;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.Header;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.image.ImageTaker;
import io.entroq.cluster.level.LevelMessage;
import io.entroq.cluster.level.LevelSurvey;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.cluster.session.MemberPrincipal;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.replica.Applier;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.replica.SeedMismatchException;
import io.entroq.engine.replica.UnsupportedCommandException;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.state.UnsupportedLevelException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;

/**
 * The replicated state machine: applies committed commands in log order, and answers this member's
 * callers.
 *
 * <p>An exception while applying ends the member: the log has moved on, and a partly changed state
 * must not be shown. All callbacks run on one thread, the applying thread.
 */
public final class QueueService implements ClusteredService {
  private static final Logger LOGGER = System.getLogger(QueueService.class.getName());

  private static final long LEADER_TIME_INTERVAL_MS = 250;

  private final ReplicatedEngine engine;
  private final Applier applier;
  private final ServiceListener listener;
  private final SnapshotReports reports;
  private final LevelSurvey survey;
  private final ServiceSnapshots snapshots;
  private final Mirror mirror;
  private final StartupClockCheck clockCheck;
  private final SkippedCommand skipped;

  /** The initial state without a snapshot; null for an empty one. */
  private final StateMachine seed;

  private final StateQueries queries = new StateQueries();
  private final LeaderContact leaderContact;
  private Cluster cluster;
  private DeadlineTimer timer;
  private boolean isClusterKnown;

  /** The leader's time that was last looked at. */
  private long leaderTimeMs;

  /** The digest of the seed until all members agree on it; otherwise null. */
  private volatile StateDigest unconfirmedSeed;

  private volatile long appliedSequence;
  private volatile int level;
  private volatile long appliedPosition;

  /**
   * @param listener notified of events
   * @param reports receives members' snapshot reports
   * @param survey receives members' level messages
   * @param images of this member
   * @param mirror receives applied records; closed by its opener
   * @param skipped the command to skip; may be null
   * @param leaderContact decides whether reads are answered
   * @param seed the initial state if there is no snapshot, owned by this service from now on; null
   *     for an empty one
   */
  public QueueService(
      ReplicatedEngine engine,
      ServiceListener listener,
      SnapshotReports reports,
      LevelSurvey survey,
      ImageStore images,
      Mirror mirror,
      StartupClockCheck clockCheck,
      SkippedCommand skipped,
      LeaderContact leaderContact,
      StateMachine seed) {
    this.engine = engine;
    this.applier = engine.applier();
    this.listener = listener;
    this.reports = reports;
    this.survey = survey;
    this.snapshots = new ServiceSnapshots(engine, reports, mirror, images);
    this.mirror = mirror;
    this.clockCheck = clockCheck;
    this.skipped = skipped;
    this.leaderContact = leaderContact;
    this.seed = seed;
  }

  /** Runs a query on the applying thread between two commands. Any thread. */
  public <T> CompletableFuture<T> query(Function<StateMachine, T> query) {
    return queries.submit(query);
  }

  /** Fails open and later queries. Any thread, any number of times. */
  public void endQueries() {
    queries.end();
  }

  /** The sequence of the last applied record. Any thread. */
  public long appliedSequence() {
    return appliedSequence;
  }

  /** The behavior level of the state; 0 before the first record. Any thread. */
  public int level() {
    return level;
  }

  /** The seed that this member started from, until all members agree on it. Any thread. */
  public Optional<StateDigest> unconfirmedSeed() {
    return Optional.ofNullable(unconfirmedSeed);
  }

  /** The applied position of the log, in bytes. Any thread. */
  public long appliedPosition() {
    return appliedPosition;
  }

  /** Number of snapshots begun since the start. Any thread. */
  public long snapshotsBegun() {
    return snapshots.meter().begun();
  }

  /**
   * Updates the statistics while no snapshot is in progress. Any thread.
   *
   * @param begun number of snapshots begun before that was found
   * @param complete how many of these the consensus module has completed
   */
  public void settleSnapshots(long begun, long complete) {
    snapshots.meter().settle(begun, complete);
  }

  /** Whether the image of a snapshot is being written. Any thread. */
  public boolean isWritingImage() {
    return snapshots.isWritingImage();
  }

  /**
   * Ends images in progress before the state is closed. On the applying thread, or another one
   * after that has ended; any number of times.
   *
   * @param isSound whether to complete them; otherwise they are abandoned
   */
  public void endImages(boolean isSound) {
    snapshots.endImages(isSound, ImageTaker.END_TIMEOUT);
  }

  /** Statistics of snapshots. Any thread. */
  public SnapshotStats snapshots() {
    return snapshots.meter().stats();
  }

  /** The container's tracker of snapshots. */
  public SnapshotDurationTracker durations() {
    return snapshots.meter();
  }

  @Override
  public void onStart(Cluster started, Image snapshotImage) {
    cluster = started;
    snapshots.onStart(started);
    timer = new DeadlineTimer(started);
    leaderContact.begin(started);
    guard(() -> begin(snapshotImage));
  }

  private void begin(Image snapshotImage) {
    if (snapshotImage == null && seed != null) {
      unconfirmedSeed = StateDigest.of(seed);
      applier.beginWithSeed(seed, mirror.begin(seed));
    } else if (snapshotImage == null) {
      StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
      applier.begin(machine, mirror.begin(machine));
    } else {
      snapshots.load(snapshotImage);
    }
    noteApplied();
  }

  @Override
  public void onSessionOpen(ClientSession session, long timestamp) {
    guard(this::armTimer);
  }

  @Override
  public void onSessionClose(ClientSession session, long timestamp, CloseReason closeReason) {
    guard(
        () -> {
          long incarnation = MemberPrincipal.incarnation(session.encodedPrincipal());
          if (incarnation != 0 && !hasOtherSession(incarnation)) {
            applier.callersGone(incarnation, timestamp);
          }
          step();
        });
  }

  /** A member that has lost the leader opens a new session before or after the old one closes. */
  private boolean hasOtherSession(long incarnation) {
    for (ClientSession other : cluster.clientSessions()) {
      if (MemberPrincipal.incarnation(other.encodedPrincipal()) == incarnation) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void onSessionMessage(
      ClientSession session,
      long timestamp,
      DirectBuffer buffer,
      int offset,
      int length,
      Header header) {
    try {
      noteLeaderTime(timestamp, header.position());
      if (SeedReport.matches(buffer, offset, length)) {
        onSeed(SeedReport.read(buffer, offset), timestamp);
        step();
        return;
      }
      if (SnapshotReport.matches(buffer, offset, length)) {
        SnapshotReport.read(buffer, offset, reports.members()).ifPresent(reports::onReport);
        return;
      }
      MemberNotice notice = MemberNotice.read(buffer, offset, length);
      if (notice != null) {
        onNotice(notice, header.position());
        return;
      }
      if (LevelMessage.matches(buffer, offset, length)) {
        survey.onMessage(buffer, offset, leaderContact.hasLeader());
        return;
      }
      apply(header.position(), buffer, offset, length, timestamp);
      step();
    } catch (Throwable t) {
      throw fatal(t);
    }
  }

  /** Old notices come again when a member starts. */
  private void onNotice(MemberNotice notice, long position) {
    switch (notice.kind()) {
      case WANTS_SNAPSHOT -> {
        if (leaderContact.hasLeader()) {
          reports.onSnapshotRequested();
        }
      }
      case LEAVES -> {
        if (leaderContact.isIn(notice.termId())) {
          listener.onLeaderLeaving(notice.memberId());
        }
      }
      case CLOSES_CLUSTER -> {
        if (listener.onClose(position, notice.termId())) {
          snapshots.onClosed();
        }
      }
    }
  }

  /** A message that is far from the committed end of the log may be old. */
  private void noteLeaderTime(long timestamp, long position) {
    if (timestamp - leaderTimeMs >= LEADER_TIME_INTERVAL_MS || timestamp < leaderTimeMs) {
      leaderTimeMs = timestamp;
      if (leaderContact.isAtEnd(position)) {
        listener.onLeaderTime(timestamp);
      }
    }
  }

  /** Only the first report counts; later ones are from members that had not seen it yet. */
  private void onSeed(StateDigest agreed, long timestamp) {
    if (applier.hasBegun()) {
      return;
    }
    if (unconfirmedSeed == null) {
      throw new SeedMismatchException(
          "the cluster started from a backup, but this member is empty");
    }
    if (!agreed.equals(unconfirmedSeed)) {
      throw new SeedMismatchException(
          "the cluster started from the backup %s, but this member has %s"
              .formatted(agreed, unconfirmedSeed));
    }
    applier.agreeOnSeed(timestamp);
    unconfirmedSeed = null;
  }

  private void apply(long position, DirectBuffer buffer, int offset, int length, long timestamp) {
    boolean isFound = true;
    try {
      if (skipped == null || skipped.position() != position) {
        applier.apply(buffer, offset, length, timestamp);
      } else {
        LOGGER.log(Level.WARNING, "Skipping the command " + skipped);
        isFound = applier.applyWithout(skipped.crc(), buffer, offset, length, timestamp);
      }
    } catch (UnsupportedCommandException
        | UnsupportedLevelException
        | SeedMismatchException
        | OutOfMemoryError e) {
      // The command is not at fault, so the error must not suggest skipping it.
      throw e;
    } catch (RuntimeException | Error e) {
      if (!applier.isInCommand()) {
        // The passing of time causes it, whichever command is skipped.
        throw e;
      }
      throw new PoisonedCommandException(
          new SkippedCommand(position, applier.failedCrc(buffer)), e);
    }
    if (!isFound) {
      throw new IllegalStateException(
          ("skipCommand is %s, but no command at that position has this checksum. Nothing was"
                  + " skipped. Take both numbers from the error that ended the members")
              .formatted(skipped));
    }
  }

  @Override
  public void onTimerEvent(long correlationId, long timestamp) {
    guard(
        () -> {
          timer.forget();
          applier.tick(timestamp);
          step();
        });
  }

  @Override
  public void onNewLeadershipTermEvent(
      long leadershipTermId,
      long logPosition,
      long timestamp,
      long termBaseLogPosition,
      int leaderMemberId,
      int logSessionId,
      TimeUnit timeUnit,
      int appVersion) {
    guard(
        () -> {
          requireMilliseconds(timeUnit);
          listener.onTerm(leadershipTermId, leaderMemberId);
          // The new leader has only the timers of its own service.
          timer.forget();
          armTimer();
        });
  }

  private static void requireMilliseconds(TimeUnit unit) {
    if (unit != TimeUnit.MILLISECONDS) {
      throw new IllegalStateException("log time is in " + unit + ", not in milliseconds");
    }
  }

  @Override
  public void onTakeSnapshot(ExclusivePublication snapshotPublication) {
    if (unconfirmedSeed != null) {
      throw new SnapshotException("the members have not agreed on a seed yet");
    }
    try {
      snapshots.take(snapshotPublication);
    } catch (SnapshotException | AeronException e) {
      // The state is unchanged, so the member goes on and the snapshot is retried.
      throw e;
    } catch (Throwable t) {
      throw fatal(t);
    }
  }

  @Override
  public void onRoleChange(Cluster.Role newRole) {
    // The service does the same on leader and followers.
  }

  @Override
  public void onTerminate(Cluster terminating) {
    queries.end();
    long position = terminating.logPosition();
    Optional<StateDigest> last = snapshots.end(position, !engine.hasFailed());
    if (!engine.hasFailed()) {
      listener.onStop(position, last);
    }
    mirror.end(!engine.hasFailed());
    applier.end();
  }

  @Override
  public int doBackgroundWork(long nowNs) {
    try {
      notePosition();
      if (leaderContact.hasLeader()) {
        clockCheck.end();
      }
      if (leaderContact.isCaughtUp(cluster.logPosition())) {
        applier.noteCaughtUp(leaderContact.agoMs());
      }
      int done = applier.doWork(leaderContact.contact()) + queries.run(applier.machine());
      done += snapshots.thawIfRead() ? 1 : 0;
      if (snapshots.needsState()) {
        // The mirror must not freeze a state that is frozen already.
        return done;
      }
      return done + mirror.doWork();
    } catch (Throwable t) {
      throw fatal(t);
    }
  }

  private void step() {
    noteApplied();
    armTimer();
  }

  private void noteApplied() {
    if (!applier.hasBegun()) {
      return;
    }
    StateMachine machine = applier.machine();
    appliedSequence = machine.sequence();
    if (level != machine.level()) {
      level = machine.level();
    }
    if (appliedSequence > 0) {
      clockCheck.check(machine.logTimeMs());
    }
    if (!isClusterKnown && machine.sequence() > 0) {
      isClusterKnown = true;
      listener.onClusterId(machine.logIdHigh(), machine.logIdLow());
    }
  }

  /** Entries that are not commands move the position too. */
  private void notePosition() {
    long position = cluster.logPosition();
    if (position != appliedPosition) {
      appliedPosition = position;
    }
  }

  private void armTimer() {
    if (applier.hasBegun()) {
      timer.arm(applier.nextDeadlineMs());
    }
  }

  private void guard(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) {
      throw fatal(t);
    }
  }

  private AgentTerminationException fatal(Throwable thrown) {
    if (thrown instanceof AgentTerminationException termination) {
      // The container is ending on request.
      return termination;
    }
    Throwable cause =
        thrown instanceof OutOfMemoryError noMemory ? new NoMemoryException(noMemory) : thrown;
    engine.fail(cause);
    listener.onFailure(cause);
    return new AgentTerminationException(cause);
  }
}
