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
import io.entroq.cluster.level.LevelMessage;
import io.entroq.cluster.level.LevelSurvey;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.cluster.session.MemberPrincipal;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.replica.Applier;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.replica.SeedMismatchException;
import io.entroq.engine.replica.UnsupportedCommandException;
import io.entroq.engine.state.FrozenState;
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
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.AgentTerminationException;

/**
 * The state machine as the consensus module drives it: applies what a majority has, in its order,
 * and answers this member's callers from there.
 *
 * <p>Whatever is thrown where commands are applied ends the member: the log has gone on behind the
 * command, and a state that has half of it must not be shown. All callbacks come on one thread, the
 * applying one.
 */
public final class QueueService implements ClusteredService {
  private static final Logger LOGGER = System.getLogger(QueueService.class.getName());

  private final ReplicatedEngine engine;
  private final Applier applier;
  private final ServiceListener listener;
  private final SnapshotReports reports;
  private final LevelSurvey survey;
  private final SnapshotMeter meter = new SnapshotMeter();
  private final Mirror mirror;
  private final StartupClockCheck clockCheck;
  private final SkippedCommand skipped;

  /** What it begins with where there is no snapshot; null: with nothing. */
  private final StateMachine seed;

  private final StateQueries queries = new StateQueries();
  private final LeaderContact leaderContact;
  private Cluster cluster;
  private DeadlineTimer timer;
  private boolean isClusterKnown;

  /** The state is being read for a snapshot, which Aeron's idling interrupts for other work. */
  private boolean isTakingSnapshot;

  /** Of the seed that it has begun with, until all have agreed on it; null: there is none. */
  private volatile StateDigest openSeed;

  private volatile long appliedSequence;
  private volatile int level;
  private volatile long appliedPosition;

  /**
   * @param listener what else is to happen when something does here
   * @param reports takes in what members say of their snapshots
   * @param survey takes in what members say of the levels that they support
   * @param mirror follows what is applied; closed by whoever has opened it
   * @param skipped the command that is passed over; null: none is
   * @param leaderContact while it is not there nothing is shown of the state
   * @param seed what the log begins with if there is no snapshot, from here on this one's; null:
   *     nothing
   */
  public QueueService(
      ReplicatedEngine engine,
      ServiceListener listener,
      SnapshotReports reports,
      LevelSurvey survey,
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
    this.mirror = mirror;
    this.clockCheck = clockCheck;
    this.skipped = skipped;
    this.leaderContact = leaderContact;
    this.seed = seed;
  }

  /** Asks something of the state; any thread. */
  public <T> CompletableFuture<T> ask(Function<StateMachine, T> question) {
    return queries.ask(question);
  }

  /** Questions that have no answer get none any more. Any thread, any number of times. */
  public void endQueries() {
    queries.end();
  }

  /** The sequence of the last record that was applied; any thread. */
  public long appliedSequence() {
    return appliedSequence;
  }

  /** The behaviour level of the state; 0 before the first record. Any thread. */
  public int level() {
    return level;
  }

  /** The seed that this member has begun with, while nobody has said that all have; any thread. */
  public Optional<StateDigest> openSeed() {
    return Optional.ofNullable(openSeed);
  }

  /** How far in the log it is, in bytes; any thread. */
  public long appliedPosition() {
    return appliedPosition;
  }

  /** How many snapshots have been begun since this began; any thread. */
  public long snapshotsBegun() {
    return meter.begun();
  }

  /**
   * No snapshot is under way; any thread.
   *
   * @param begun how many had been begun when that was found
   * @param complete how many of these the consensus module has completed
   */
  public void settleSnapshots(long begun, long complete) {
    meter.settle(begun, complete);
  }

  /** What became of snapshots since this began, and of what it began with; any thread. */
  public SnapshotStats snapshots() {
    return meter.stats();
  }

  /** For the container: hears when a snapshot begins and ends. */
  public SnapshotDurationTracker durations() {
    return meter;
  }

  @Override
  public void onStart(Cluster started, Image snapshotImage) {
    cluster = started;
    timer = new DeadlineTimer(started);
    leaderContact.begin(started);
    guard(() -> begin(snapshotImage));
  }

  private void begin(Image snapshotImage) {
    if (snapshotImage == null && seed != null) {
      openSeed = StateDigest.of(seed);
      applier.beginWithSeed(seed, mirror.begin(seed));
    } else if (snapshotImage == null) {
      StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
      applier.begin(machine, mirror.begin(machine));
    } else {
      SnapshotReceiver snapshot = new SnapshotReceiver();
      StateMachine machine = snapshot.receive(snapshotImage, cluster.idleStrategy());
      meter.begunWith(machine.sequence(), snapshot.bytes());
      applier.begin(machine, snapshot.holders(), mirror.begin(machine));
      reports.reached(cluster.logPosition(), StateDigest.of(applier.machine()));
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

  /**
   * A member that has lost the leader opens another session, before or after the first is closed.
   */
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
      if (SeedReport.isOne(buffer, offset, length)) {
        onSeed(SeedReport.read(buffer, offset), timestamp);
        step();
        return;
      }
      if (SnapshotReport.isOne(buffer, offset, length)) {
        SnapshotReport.read(buffer, offset, reports.members()).ifPresent(reports::onReport);
        return;
      }
      if (SnapshotRequest.isOne(buffer, offset, length)) {
        if (leaderContact.hasLeader()) {
          reports.onSnapshotRequested();
        }
        return;
      }
      if (LevelMessage.isOne(buffer, offset, length)) {
        survey.onMessage(buffer, offset, leaderContact.hasLeader());
        return;
      }
      apply(header.position(), buffer, offset, length, timestamp);
      step();
    } catch (Throwable t) {
      throw fatal(t);
    }
  }

  /** Only the first counts: what comes later is from members that had not heard of that yet. */
  private void onSeed(StateDigest said, long timestamp) {
    if (applier.hasBegun()) {
      return;
    }
    if (openSeed == null) {
      throw new SeedMismatchException(
          "the cluster has begun with a backup, and this member is empty");
    }
    if (!said.equals(openSeed)) {
      throw new SeedMismatchException(
          "the cluster has begun with the backup %s, and this member has %s"
              .formatted(said, openSeed));
    }
    applier.agreeOnSeed(timestamp);
    openSeed = null;
  }

  private void apply(long position, DirectBuffer buffer, int offset, int length, long timestamp) {
    boolean isServing = true;
    try {
      if (skipped == null || skipped.position() != position) {
        applier.apply(buffer, offset, length, timestamp);
      } else {
        LOGGER.log(Level.WARNING, "The command " + skipped + " is to be passed over");
        isServing = applier.applyWithout(skipped.crc(), buffer, offset, length, timestamp);
      }
    } catch (UnsupportedCommandException
        | UnsupportedLevelException
        | SeedMismatchException
        | OutOfMemoryError e) {
      // The fault is not the command's, so nobody is to be told to pass it over.
      throw e;
    } catch (RuntimeException | Error e) {
      if (!applier.isInCommand()) {
        // What time brings about comes whatever is passed over.
        throw e;
      }
      throw new PoisonedCommandException(
          new SkippedCommand(position, applier.failedCrc(buffer)), e);
    }
    if (!isServing) {
      throw new IllegalStateException(
          ("skipCommand is %s, and no command in that place has this checksum: nothing is passed"
                  + " over. Take both numbers from what the members have said when they ended")
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
          // The timers of the new leader are those of its own service.
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
    if (openSeed != null) {
      throw new SnapshotException("the members have not agreed yet on what they begin with");
    }
    try {
      SnapshotSpaceGuard room = new SnapshotSpaceGuard(engine.space()::usableBytes);
      room.require(0);
      takeSnapshot(snapshotPublication, room);
    } catch (SnapshotException | AeronException e) {
      // The state is what it was: the snapshot has failed, and is tried again.
      throw e;
    } catch (Throwable t) {
      throw fatal(t);
    }
  }

  private void takeSnapshot(ExclusivePublication snapshotPublication, SnapshotSpaceGuard room) {
    mirror.yieldState();
    isTakingSnapshot = true;
    try {
      pass(applier.machine(), snapshotPublication, room);
    } finally {
      isTakingSnapshot = false;
    }
    mirror.onSnapshot();
  }

  private void pass(
      StateMachine machine, ExclusivePublication snapshotPublication, SnapshotSpaceGuard room) {
    reports.reached(cluster.logPosition(), StateDigest.of(machine));
    ExpandableArrayBuffer holders = new ExpandableArrayBuffer();
    int holdersBytes = applier.holders().write(holders, machine);
    FrozenState frozen = machine.freeze();
    try {
      SnapshotSender sender =
          new SnapshotSender(
              (head, at, headBytes, rest, offset, length) -> {
                room.require((long) headBytes + length);
                return snapshotPublication.offer(head, at, headBytes, rest, offset, length);
              },
              snapshotPublication.maxPayloadLength(),
              cluster.idleStrategy(),
              frozen,
              holders,
              holdersBytes);
      sender.send();
      meter.passedOn(frozen.sequence(), sender.bytes());
    } finally {
      frozen.release();
      machine.thaw();
    }
  }

  @Override
  public void onRoleChange(Cluster.Role newRole) {
    // Every member does the same whoever leads.
  }

  @Override
  public void onTerminate(Cluster terminating) {
    queries.end();
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
      int done = applier.doWork(leaderContact.isServing()) + queries.answer(applier.machine());
      if (isTakingSnapshot) {
        // Commands do not go on yet, and the mirror would freeze what is frozen.
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

  /** Also what is no command moves it. */
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
    if (thrown instanceof AgentTerminationException ending) {
      // The container ends, as it was told to.
      return ending;
    }
    Throwable cause =
        thrown instanceof OutOfMemoryError noMemory ? new NoMemoryException(noMemory) : thrown;
    engine.fail(cause);
    listener.onFailure(cause);
    return new AgentTerminationException(cause);
  }
}
