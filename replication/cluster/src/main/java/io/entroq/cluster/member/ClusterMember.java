package io.entroq.cluster.member;

import io.entroq.api.EntroQException;
import io.entroq.cluster.aeron.MappedCounters;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.LevelSupport;
import io.entroq.cluster.level.LevelSurvey;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.MemberUpkeep;
import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.cluster.service.ClockSkew;
import io.entroq.cluster.service.LeaderContact;
import io.entroq.cluster.service.MemberNotice;
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
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.gateway.Views;
import io.entroq.engine.replica.ReplicaHistory;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.replica.ReplicatedEntroQ;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.time.ClockStats;
import io.entroq.engine.time.LogClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * A cluster member in this process, with a queue that any member serves.
 *
 * <pre>{@code
 * try (ClusterMember member = ClusterMember.start(config)) {
 *   member.queue().modify(Modification.insert("inbox", "hello")).orThrow();
 * }
 * }</pre>
 *
 * <p>A member that cannot go on ends by itself; {@link #ended} says why. Any thread.
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
  private final ClusterClosure closure;
  private final ClockSkew clockSkew;

  /** Completes when this member has applied that it leaves. */
  private final CompletableFuture<Void> left = new CompletableFuture<>();

  /** Null until launched, which is after the service has started. */
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
            config.mirror().isOn() ? history(mirror) : null,
            clock::estimateMs,
            config.liveness().heartbeatTimeout().multipliedBy(8));
    this.clock = clock;
    reports = new SnapshotReports(config.memberId(), config.members().size(), this::alarm);
    LevelSurvey survey =
        new LevelSurvey(config.memberId(), config.members().size(), config.levels(), this::send);
    service =
        new QueueService(
            engine,
            new Listener(),
            reports,
            survey,
            directory.images(),
            mirror,
            clockCheck,
            config.skippedCommand().orElse(null),
            new LeaderContact(
                this::sessionTermId,
                config.liveness().heartbeatTimeout(),
                () -> MappedCounters.of(config.driverDirectory())),
            seed);
    closure = new ClusterClosure(config.memberId(), directory);
    clockSkew =
        new ClockSkew(
            config.memberId(),
            clock::wallMs,
            System::nanoTime,
            text -> LOGGER.log(Level.WARNING, text));
    levels = new LevelUpgrade(config, service, engine, survey);
    if (seed != null) {
      engine.proposer().beginWithSeed();
    }
    // Each member answers its own callers when it applies their commands, not over sessions.
    components = new MemberComponents(config, directory, errors, false, clock, service::level);
  }

  private static ReplicaHistory history(Mirror mirror) {
    return new ReplicaHistory(
        () -> mirror.stats().writtenSequence(), () -> mirror.stats().generation());
  }

  /**
   * Starts a member. Returns before it has found a leader; requests wait until then.
   *
   * @throws io.entroq.engine.log.LogException if another process holds the directory, or the wall
   *     clock is far behind the log
   * @throws MemberException if the directory belongs to another member, or a port is taken
   * @throws IllegalStateException if the JVM lacks a flag; the message names the flag to add
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
    Mirror mirror =
        Mirror.open(config.directory(), directory.lock(), directory.images(), config.mirror());
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

  /** Where in an empty member directory to restore a backup that a new cluster starts from. */
  public static Path seedIn(Path directory) {
    return directory.resolve(MemberSeed.NAME);
  }

  /** Whether a directory is that of a member of any cluster. */
  public static boolean hasDirectory(Path directory) {
    return MemberFile.isIn(directory);
  }

  private void launch() {
    try {
      components.launch(service, service.durations(), this::onTerminated, this::onArchiveError);
      session =
          MemberSession.start(
              MemberSessions.config(
                  config,
                  MemberComponents.ingressStreamId(directory),
                  components.idleStrategies()::onSent,
                  this::onSessionEnded,
                  components::clientContext),
              engine,
              config.memberId());
      upkeep =
          MemberUpkeep.start(
              new MemberUpkeepTarget(
                  this, components, service, session, directory, seedFiles, closure, clock),
              config.retention(),
              reports,
              directory.images(),
              engine.space());
      if (end.isBegun()) {
        // A component has ended meanwhile, and that shutdown did not see these two.
        Closing.all(session, upkeep);
      }
    } catch (Throwable t) {
      engine.close();
      Closing.after(
          t,
          session,
          components,
          service::endQueries,
          () -> service.endImages(false),
          () -> mirror.end(false),
          engine::end);
      throw t;
    }
  }

  /** Drops the message if there is no session yet. */
  private void send(DirectBuffer message) {
    MemberSession open = session;
    if (open != null) {
      open.send(message);
    }
  }

  private long sessionTermId() {
    MemberSession open = session;
    return (open == null ? Leadership.NONE : open.leadership()).termId();
  }

  public MemberConfig config() {
    return config;
  }

  /** The gateway for servers; ends with the member. */
  public Gateway gateway() {
    return queue().gateway();
  }

  /** Shows what this member applies; ends with the member. */
  public EffectFeed feed() {
    return engine.feed();
  }

  /** Shows the state as of earlier points; empty without a mirror. Ends with the member. */
  public Optional<Views> views() {
    return engine.views();
  }

  /** The states that this member's snapshots refer to. Available after the end. */
  public ImageStore images() {
    return directory.images();
  }

  /** Whether the image of a snapshot is being written. Available after the end. */
  public boolean isWritingImage() {
    return service.isWritingImage();
  }

  /** The queue; ends with the member. */
  public ReplicatedEntroQ queue() {
    return engine.queue();
  }

  /**
   * The current status.
   *
   * @throws IllegalStateException if it has ended
   */
  public MemberStatus status() {
    return components.status(
        session.leadership(), service.appliedPosition(), service.appliedSequence());
  }

  /** The digest of the state, read between two commands. */
  public CompletableFuture<StateDigest> digest() {
    return query(StateDigest::of);
  }

  /** The position and digests of the state, read between two commands. */
  public CompletableFuture<MemberState> state() {
    return query(MemberState::of);
  }

  /** The behavior level of the state; 0 if the log has no record yet. Available after the end. */
  public int level() {
    return service.level();
  }

  /** The behavior levels that this member reports as supported. */
  public LevelRange supportedLevels() {
    return config.levels();
  }

  /**
   * The behavior level of the cluster, and the levels that its members support. Asks all members
   * through the log; members that have not answered after at most three seconds are missing.
   *
   * @return completes exceptionally with {@link io.entroq.api.EntroQException.Unavailable} if this
   *     member has no leader
   * @throws IllegalStateException if the member has ended
   */
  public CompletableFuture<LevelSupport> levels() {
    return status().hasLeader() ? levels.support() : CompletableFuture.failedFuture(noLeader());
  }

  /**
   * Raises the behavior level of the cluster if all members support the new one. The new rules hold
   * from the next command on. The level cannot be lowered again: from then on a member with a build
   * that does not support it ends. Does nothing if the cluster is at that level already, or reaches
   * it meanwhile.
   *
   * @param to the new level, see {@link io.entroq.engine.state.Levels}
   * @return completes with the state before; exceptionally with an {@link
   *     io.entroq.api.EntroQException.InvalidArgument} that names members that do not support the
   *     level or did not answer; with {@link io.entroq.api.EntroQException.Unavailable} if this
   *     member has no leader
   * @throws IllegalStateException if the member has ended
   */
  public CompletableFuture<LevelSupport> raiseLevel(int to) {
    return status().hasLeader() ? levels.raise(to) : CompletableFuture.failedFuture(noLeader());
  }

  /**
   * Where all members have stopped.
   *
   * @param position in the cluster's log, in bytes
   * @param state at that position
   */
  public record StopPoint(long position, StateDigest state) {}

  /** Where in the log the members were last changed; 0: never. */
  public long membersSince() {
    return directory.membersSince();
  }

  /**
   * Stops all members at one position of the log, with a snapshot, to change them. Afterwards no
   * member starts from its directory before {@link MembershipChange} was applied to it.
   *
   * @return completes when this member has stopped with a snapshot that was read and verified;
   *     exceptionally with a {@link MemberException} if it has ended otherwise or lost its term,
   *     with {@link io.entroq.api.EntroQException.InvalidArgument} if it does not lead or the
   *     behavior level is too low
   * @throws IllegalStateException if the member has ended
   */
  public CompletableFuture<StopPoint> stopCluster() {
    MemberStatus now = status();
    if (!now.isLeader() || !now.hasLeader()) {
      return CompletableFuture.failedFuture(
          new EntroQException.InvalidArgument(
              "member %d does not lead".formatted(config.memberId())));
    }
    if (level() < Levels.IMAGES) {
      return CompletableFuture.failedFuture(
          new EntroQException.InvalidArgument(
              "the members can only be changed from behavior level %d on; this cluster has %d"
                  .formatted(Levels.IMAGES, level())));
    }
    CompletableFuture<StopPoint> stopped = closure.request(now.termId());
    sendUnconfirmedClose();
    return stopped;
  }

  /** Repeats the request until it is applied, since messages may be lost. */
  void sendUnconfirmedClose() {
    OptionalLong termId = closure.unconfirmed();
    if (termId.isPresent()) {
      send(
          new MemberNotice(MemberNotice.Kind.CLOSES_CLUSTER, config.memberId(), termId.getAsLong())
              .encode());
    }
  }

  /** Whether it has stopped together with all others, see {@link #stopCluster}. */
  public boolean hasStoppedWithAll() {
    return closure.hasStopped();
  }

  private EntroQException noLeader() {
    return new EntroQException.Unavailable(
        "member %d has no leader and cannot ask the others".formatted(config.memberId()));
  }

  /** The engine's statistics; empty until it has a state. Available after the end. */
  public Optional<EngineStats> stats() {
    return engine.stats();
  }

  /** Statistics of pending proposals. Available after the end. */
  public ProposalStats proposals() {
    return engine.proposals();
  }

  /** How the member's log clock deviates from its wall clock. */
  public ClockStats clock() {
    return new ClockStats(clock.wallMs() - clock.estimateMs(), clock.deviations());
  }

  /** How far the leader's clock is ahead of this member's; 0 if it leads or nothing is written. */
  public long leaderAheadMs() {
    return clockSkew.aheadMs();
  }

  /** Statistics of snapshots and log. Available after the end. */
  public RetentionStats retention() {
    return upkeep.stats();
  }

  /** Statistics of the mirror. Available after the end. */
  public MirrorStats mirror() {
    return mirror.stats();
  }

  /** The number of waiting claims, of callers of all members. */
  public CompletableFuture<Integer> parkedClaims() {
    return query(StateMachine::parkedCount);
  }

  /** Runs a query on the state, between two commands. */
  <T> CompletableFuture<T> query(Function<StateMachine, T> query) {
    return service.query(query);
  }

  /**
   * Requests a snapshot of all members at the same position of the log.
   *
   * @return false if this member does not lead, or a snapshot is in progress
   */
  public boolean takeSnapshot() {
    return service.unconfirmedSeed().isEmpty()
        && !service.isWritingImage()
        && components.toggleSnapshot();
  }

  /** Completes when the member has ended, with the reason, or with null if it was closed. */
  public CompletableFuture<Throwable> ended() {
    return end.ended();
  }

  /** Ends the member when a component has ended by itself. */
  private void onTerminated(String component) {
    if (end.isBegun()) {
      return;
    }
    if (closure.hasStopped()) {
      // It ends last: that of the leader once the others have stopped too.
      if (component.equals(MemberComponents.CONSENSUS)) {
        LOGGER.log(Level.INFO, "member {0} ends: {1}", config.memberId(), closure.text());
        end(components);
      }
    } else {
      fail(
          closure
              .failure()
              .orElseGet(
                  () ->
                      new MemberException(
                          "its " + component + " has ended unexpectedly", errors.last())));
    }
  }

  /** Ends the member if its log is damaged; otherwise readers would wait for the log forever. */
  private void onArchiveError(Throwable error) {
    if (!end.isBegun()) {
      RecordingDamage.find(directory, config.memberId(), error)
          // A serving member does not read its own snapshot; the next one will replace it.
          .filter(damage -> !damage.isOfSnapshot() || components.isStarting())
          .ifPresent(this::fail);
    }
  }

  /** Ends the member, which otherwise would vote and look healthy but never answer. */
  private void onSessionEnded(Throwable cause) {
    if (!end.isBegun()) {
      fail(new MemberException("its session with the leader has ended unexpectedly", cause));
    }
  }

  private void alarm(StateDivergence divergence) {
    LOGGER.log(Level.ERROR, "member " + config.memberId() + ": " + divergence.text());
    try {
      config.alarm().accept(divergence);
    } catch (RuntimeException | Error e) {
      // A failing listener must not end a healthy member.
      LOGGER.log(Level.ERROR, "member " + config.memberId() + ": its alarm listener failed", e);
    }
  }

  /** Ends the member because of a failure. Any thread. */
  void fail(Throwable cause) {
    components.markEnded();
    failure.compareAndSet(null, cause);
    Throwable first = failure.get();
    engine.fail(first);
    LOGGER.log(Level.ERROR, "member " + config.memberId() + " ends: " + first.getMessage(), first);
    end(components);
  }

  /**
   * Finishes requests in flight, tells the other members that this member's callers are gone and,
   * if it leads, that they need a new leader, and ends all components. Returns when that is done,
   * or after a minute; then the directory stays locked until the process ends.
   */
  @Override
  public void close() {
    end(components);
    end.ended().join();
  }

  /** Ends in a way that looks to the other members like a killed process. */
  void kill() {
    engine.fail(new MemberException("killed"));
    end(components::kill);
    end.ended().join();
  }

  /** For tests. */
  void closeConsensusClient() {
    components.closeConsensusClient();
  }

  private void end(AutoCloseable closeComponents) {
    end.begin(() -> endAll(closeComponents), failure::get);
  }

  private void endAll(AutoCloseable closeComponents) {
    boolean isSound = failure.get() == null && !engine.hasFailed();
    Closing.all(
        upkeep,
        isSound ? this::leave : session,
        closeComponents,
        service::endQueries,
        () -> service.endImages(isSound),
        () -> mirror.end(isSound),
        engine::end,
        closure::end,
        mirror,
        () -> BadSnapshots.setAside(directory, config.memberId(), failure.get()),
        directory);
  }

  /** Ends the session. If this member leads, tells the others, so that they need not miss it. */
  private void leave() {
    MemberSession open = session;
    OptionalLong termId = components.leads();
    if (open != null && termId.isPresent() && config.members().size() > 1) {
      open.part(
          new MemberNotice(MemberNotice.Kind.LEAVES, config.memberId(), termId.getAsLong())
              .encode());
      // Whoever has applied it too soon finds this member silent, so nothing else comes first.
      left.completeOnTimeout(
              null, config.liveness().heartbeatTimeout().toNanos(), TimeUnit.NANOSECONDS)
          .join();
      components.closeConsensus();
    }
    Closing.all(open);
  }

  private final class Listener implements ServiceListener {
    @Override
    public void onClusterId(long high, long low) {
      directory.noteClusterId(high, low);
    }

    @Override
    public void onLeaderLeaving(int memberId) {
      if (memberId == config.memberId()) {
        left.complete(null);
      } else {
        components.onLeaderLeaving();
      }
    }

    @Override
    public boolean onClose(long position, long termId) {
      return closure.onClose(position, termId);
    }

    @Override
    public void onTerm(long termId, int leaderId) {
      closure.onTerm(termId);
      clockSkew.onLeader(leaderId);
    }

    @Override
    public void onLeaderTime(long timestampMs) {
      clockSkew.compare(timestampMs);
    }

    @Override
    public void onStop(long position, Optional<StateDigest> state) {
      closure.onStop(position, state);
    }

    @Override
    public void onFailure(Throwable cause) {
      fail(cause);
    }
  }
}
