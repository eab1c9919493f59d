package io.entroq.cluster.member;

import io.entroq.api.EntroQException;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.LevelSupport;
import io.entroq.cluster.level.LevelSurvey;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.MemberUpkeep;
import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.cluster.service.LeaderContact;
import io.entroq.cluster.service.QueueService;
import io.entroq.cluster.service.ServiceListener;
import io.entroq.cluster.service.SnapshotReports;
import io.entroq.cluster.service.StartupClockCheck;
import io.entroq.cluster.service.StateDigest;
import io.entroq.cluster.service.StateDivergence;
import io.entroq.cluster.session.Leadership;
import io.entroq.cluster.session.MemberSession;
import io.entroq.engine.Closing;
import io.entroq.engine.JvmFlags;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.replica.ReplicatedEntroQ;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.time.ClockStats;
import io.entroq.engine.time.LogClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * A member of a cluster in this process: everything that it takes to agree with the others on one
 * log, and the queue that comes of it.
 *
 * <pre>{@code
 * try (ClusterMember member = ClusterMember.start(config)) {
 *   member.queue().modify(Modification.insert("inbox", "hello")).orThrow();
 * }
 * }</pre>
 *
 * <p>A member that cannot go on ends by itself: {@link #ended} tells, and why. Any thread.
 */
public final class ClusterMember implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(ClusterMember.class.getName());
  private static final Duration END_TIMEOUT = Duration.ofMinutes(1);

  private final MemberSeed seedFiles;
  private final MemberConfig config;
  private final MemberErrors errors;
  private final MemberDirectory directory;
  private final Mirror mirror;
  private final ReplicatedEngine engine;
  private final QueueService service;
  private final MemberComponents components;
  private final MemberShutdown end;
  private final LogClock clock;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final SnapshotReports reports;
  private final LevelUpgrade levels;

  /** Null until it is launched, which is after the service has begun. */
  private volatile MemberSession session;

  private MemberUpkeep upkeep;

  private ClusterMember(
      MemberConfig config,
      MemberDirectory directory,
      Mirror mirror,
      LogClock clock,
      StartupClockCheck clockCheck,
      MemberSeed seedFiles,
      StateMachine seed) {
    this.seedFiles = seedFiles;
    this.config = config;
    this.directory = directory;
    this.mirror = mirror;
    errors = new MemberErrors(config.memberId());
    end = new MemberShutdown("member " + config.memberId(), END_TIMEOUT);
    engine =
        new ReplicatedEngine(
            config.bounds(),
            config.directory(),
            clock::estimateMs,
            config.liveness().heartbeatTimeout().multipliedBy(8));
    this.clock = clock;
    reports = new SnapshotReports(config.memberId(), config.members().size(), this::alarm);
    LevelSurvey survey =
        new LevelSurvey(config.memberId(), config.members().size(), config.levels(), this::tell);
    service =
        new QueueService(
            engine,
            new Listener(),
            reports,
            survey,
            mirror,
            clockCheck,
            config.skippedCommand().orElse(null),
            new LeaderContact(this::sessionTermId, config.liveness().heartbeatTimeout()),
            seed);
    levels = new LevelUpgrade(config, service, engine, survey);
    if (seed != null) {
      engine.proposer().beginWithSeed();
    }
    // Callers are answered by the member that has them, from where it applies their commands.
    components = new MemberComponents(config, directory, errors, false, clock);
  }

  /**
   * Starts a member. Returns when it runs, which is before it has found a leader: what is asked
   * until then waits.
   *
   * @throws io.entroq.engine.log.LogException if another process has the directory, or the wall
   *     clock is far behind the log
   * @throws MemberException if the directory is not this member's, or a port is taken
   * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add
   */
  public static ClusterMember start(MemberConfig config) {
    JvmFlags.require();
    MemberDirectory directory = MemberDirectory.open(config);
    try {
      MemberPorts.requireFree(config.address());
      return start(config, directory);
    } catch (Throwable t) {
      Closing.after(t, directory);
      throw t;
    }
  }

  private static ClusterMember start(MemberConfig config, MemberDirectory directory) {
    LogClock clock = config.clock().get();
    clock.start(Long.MIN_VALUE);
    Mirror mirror = Mirror.open(config.directory(), directory.lock(), config.mirror());
    try {
      StartupClockCheck clockCheck = new StartupClockCheck(clock::wallMs, config.acceptClock());
      clockCheck.check(mirror.foundLogTimeMs());
      MemberSeed seedFiles = new MemberSeed(config.directory());
      StateMachine seed = seedFiles.load(new RecordingLogFile(directory.cluster()));
      ClusterMember member =
          new ClusterMember(config, directory, mirror, clock, clockCheck, seedFiles, seed);
      member.launch();
      return member;
    } catch (Throwable t) {
      Closing.after(t, mirror);
      throw t;
    }
  }

  /**
   * Where in the directory of a member, which has nothing else yet, a backup is to be restored that
   * a new cluster is to begin with.
   */
  public static Path seedIn(Path directory) {
    return directory.resolve(MemberSeed.NAME);
  }

  /** Whether a directory is a member's, of any cluster. */
  public static boolean hasDirectory(Path directory) {
    return MemberFile.isIn(directory);
  }

  private void launch() {
    try {
      components.launch(service, service.durations(), this::terminated, this::archiveTroubled);
      session =
          MemberSession.start(
              MemberSessions.config(
                  config,
                  components.idleStrategies()::sent,
                  this::sessionEnded,
                  components.epochClock()),
              engine,
              config.memberId());
      upkeep =
          MemberUpkeep.start(
              new MemberUpkeepTarget(
                  this, components, service, session, directory, seedFiles, clock),
              config.retention(),
              reports,
              engine.space());
      if (end.isBegun()) {
        // A part has ended since, and what has begun here was not known of.
        Closing.all(session, upkeep);
      }
    } catch (Throwable t) {
      engine.close();
      Closing.after(
          t, session, components, service::endQueries, () -> mirror.end(false), engine::end);
      throw t;
    }
  }

  /** Before it has a session it has nothing to say. */
  private void tell(DirectBuffer message) {
    MemberSession begun = session;
    if (begun != null) {
      begun.tell(message);
    }
  }

  private long sessionTermId() {
    MemberSession begun = session;
    return (begun == null ? Leadership.NONE : begun.leadership()).termId();
  }

  /** How it was set up. */
  public MemberConfig config() {
    return config;
  }

  /** Executes the requests of a server's callers. It ends with the member. */
  public Gateway gateway() {
    return queue().gateway();
  }

  /** The queue. It ends with the member. */
  public ReplicatedEntroQ queue() {
    return engine.queue();
  }

  /**
   * What it is at.
   *
   * @throws IllegalStateException if it has ended
   */
  public MemberStatus status() {
    return components.status(
        session.leadership(), service.appliedPosition(), service.appliedSequence());
  }

  /** The digest of its state, asked between two commands. */
  public CompletableFuture<StateDigest> digest() {
    return ask(StateDigest::of);
  }

  /** The state that it has come to, asked between two commands. */
  public CompletableFuture<MemberState> state() {
    return service.ask(MemberState::of);
  }

  /** The behaviour level of its state; 0 while it has none. Also when it has ended. */
  public int level() {
    return service.level();
  }

  /** Which behaviour levels it says that it supports: those of its build. */
  public LevelRange supportedLevels() {
    return config.levels();
  }

  /**
   * At which behaviour level the cluster is, and what members say now that they support: all are
   * asked, through the log, and who has not answered after three seconds at most has not said it.
   *
   * @return completes exceptionally with {@link io.entroq.api.EntroQException.Unavailable} if this
   *     member has no leader
   * @throws IllegalStateException if it has ended
   */
  public CompletableFuture<LevelSupport> levels() {
    return status().isInTouch() ? levels.support() : CompletableFuture.failedFuture(noLeader());
  }

  /**
   * Raises the behaviour level of the cluster, if all members say now that they support the new
   * one: from the next command on its rules hold. There is no way back: a member with a build that
   * does not support it ends from then on. Does nothing if it is the level already, or another one
   * raises it to that meanwhile.
   *
   * @param to which of them is wanted, see {@link io.entroq.engine.state.Levels}
   * @return completes with how it stood before; exceptionally with an {@link
   *     io.entroq.api.EntroQException.InvalidArgument} that says who does not support it, or has
   *     not said so; with {@link io.entroq.api.EntroQException.Unavailable} if this member has no
   *     leader
   * @throws IllegalStateException if it has ended
   */
  public CompletableFuture<LevelSupport> raiseLevel(int to) {
    return status().isInTouch() ? levels.raise(to) : CompletableFuture.failedFuture(noLeader());
  }

  private EntroQException noLeader() {
    return new EntroQException.Unavailable(
        "member %d has no leader, and cannot ask the others".formatted(config.memberId()));
  }

  /** The engine in numbers, for metrics; empty until it has a state. Also when it has ended. */
  public Optional<EngineStats> stats() {
    return engine.stats();
  }

  /** What its callers wait for, in numbers. Also when it has ended. */
  public ProposalStats proposals() {
    return engine.proposals();
  }

  /** The wall clock and the clock by which it says log time while it leads. */
  public ClockStats clock() {
    return new ClockStats(clock.wallMs() - clock.estimateMs(), clock.deviations());
  }

  /** Its snapshots and its log in numbers, for metrics. Also when it has ended. */
  public RetentionStats retention() {
    return upkeep.stats();
  }

  /** The mirror of the log in numbers. Also when it has ended. */
  public MirrorStats mirror() {
    return mirror.stats();
  }

  /** How many claims wait, of callers of all members. */
  public CompletableFuture<Integer> parkedClaims() {
    return ask(StateMachine::parkedCount);
  }

  /** Asks something of its state, between two commands. */
  <T> CompletableFuture<T> ask(Function<StateMachine, T> question) {
    return service.ask(question);
  }

  /**
   * Asks for a snapshot, which every member then takes at the same place of the log.
   *
   * @return false if this member does not lead, or another one is being taken
   */
  public boolean takeSnapshot() {
    return service.openSeed().isEmpty() && components.toggleSnapshot();
  }

  /** Completes when it has ended: with why, or null if it was closed. */
  public CompletableFuture<Throwable> ended() {
    return end.over();
  }

  /** A part has ended by itself, and without it there is no member. */
  private void terminated(String part) {
    if (!end.isBegun()) {
      fail(new MemberException("its " + part + " has ended by itself", errors.last()));
    }
  }

  /** With a log that is damaged others would wait here for what never comes. */
  private void archiveTroubled(Throwable error) {
    if (!end.isBegun()) {
      RecordingDamage.found(directory, config.memberId(), error)
          // One of a member that serves was to be copied only: the next one takes its place.
          .filter(found -> !found.isOfSnapshot() || components.isBeginning())
          .ifPresent(this::fail);
    }
  }

  /** It would vote and seem ready for ever, and answer nobody. */
  private void sessionEnded(Throwable cause) {
    if (!end.isBegun()) {
      fail(new MemberException("its session with the leader has ended by itself", cause));
    }
  }

  private void alarm(StateDivergence found) {
    LOGGER.log(Level.ERROR, "member " + config.memberId() + ": " + found.text());
    try {
      config.alarm().accept(found);
    } catch (RuntimeException | Error e) {
      // Whoever is told is not of the cluster, and must not end members that are right.
      LOGGER.log(Level.ERROR, "member " + config.memberId() + ": its alarm has failed", e);
    }
  }

  /** It cannot go on. Any thread. */
  void fail(Throwable cause) {
    components.shut();
    failure.compareAndSet(null, cause);
    Throwable first = failure.get();
    engine.fail(first);
    LOGGER.log(Level.ERROR, "member " + config.memberId() + " ends: " + first.getMessage(), first);
    end(components);
  }

  /**
   * Finishes what is under way, tells the others that this member's callers are gone, and ends all
   * parts. Every call returns when that is done, or after a minute in which it could not be done:
   * then the directory stays locked until the process has ended.
   */
  @Override
  public void close() {
    end(components);
    end.over().join();
  }

  /** Ends as if the process had been killed, as far as the others can see. */
  void kill() {
    engine.fail(new MemberException("killed"));
    end(components::kill);
    end.over().join();
  }

  private void end(AutoCloseable endParts) {
    end.begin(() -> endAll(endParts), failure::get);
  }

  private void endAll(AutoCloseable endParts) {
    boolean isSound = failure.get() == null && !engine.hasFailed();
    Closing.all(
        session,
        upkeep,
        endParts,
        service::endQueries,
        () -> mirror.end(isSound),
        engine::end,
        mirror,
        () -> BadSnapshots.setAside(directory, config.memberId(), failure.get()),
        directory);
  }

  private final class Listener implements ServiceListener {
    @Override
    public void onClusterId(long high, long low) {
      directory.noteClusterId(high, low);
    }

    @Override
    public void onFailure(Throwable cause) {
      fail(cause);
    }
  }
}
