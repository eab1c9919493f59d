package io.entroq.cluster.member;

import io.aeron.Aeron;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.codecs.BackupQueryDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterClock;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.cluster.service.SnapshotDurationTracker;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.entroq.api.Durability;
import io.entroq.cluster.aeron.ElectionMonitor;
import io.entroq.cluster.aeron.FrameChecksum;
import io.entroq.cluster.aeron.MemberIdleStrategies;
import io.entroq.cluster.aeron.StallMonitor;
import io.entroq.cluster.aeron.SteadyEpochClock;
import io.entroq.cluster.session.Leadership;
import io.entroq.cluster.session.MemberAuthenticator;
import io.entroq.cluster.session.MemberPrincipal;
import io.entroq.engine.Closing;
import io.entroq.engine.time.LogClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * The parts that make a member, begun one after the other and ended the other way round: media
 * driver, archive, consensus module, service container.
 */
final class MemberComponents implements AutoCloseable {
  private static final String DRIVER = "media driver";
  private static final String ARCHIVE = "archive";
  private static final String CONSENSUS = "consensus module";
  private static final String SERVICE = "service container";
  private static final String CLIENT = "client of an archive";
  private static final String IPC = "aeron:ipc?term-length=1m";
  private static final int NETWORK_TERM_BYTES = 1 << 20;
  private static final int IPC_TERM_BYTES = 1 << 20;

  /** Frames of snapshots: the largest that there are. */
  private static final int FRAME_BYTES_MAX = 65_504;

  /**
   * With fewer bytes free than a threshold the archive refuses to begin a recording, and the
   * service container and the consensus module end if that is one of a snapshot.
   */
  private static final long NO_STORAGE_THRESHOLD = -1;

  private static final long DRIVER_TIMER_NS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** How long an archive has for an answer. */
  private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(2);

  private final MemberConfig config;
  private final MemberDirectory directory;
  private final MemberErrors errors;
  private final boolean isResponding;
  private final MemberIdleStrategies idleStrategies;
  private final ClusterClock clusterClock;
  private final EpochClock epochClock;
  private MediaDriver driver;
  private Archive archive;
  private volatile ConsensusModule consensus;
  private ClusteredServiceContainer container;

  /** Null until there is one. */
  private Aeron containerClient;

  /** Of all clients of archives; null until there is one. */
  private Aeron archiveClients;

  /** Lock of what lies in memory that the parts share. */
  private final Object counters = new Object();

  private boolean isClosed;

  /**
   * @param isResponding whether the service answers over sessions
   * @param clock which says log time while this member leads, and by which all waiting for others
   *     is measured: so it must not jump
   */
  MemberComponents(
      MemberConfig config,
      MemberDirectory directory,
      MemberErrors errors,
      boolean isResponding,
      LogClock clock) {
    this.config = config;
    this.directory = directory;
    this.errors = errors;
    this.isResponding = isResponding;
    idleStrategies = new MemberIdleStrategies(isResponding);
    clusterClock = clock::nowMs;
    epochClock = new SteadyEpochClock(clock::wallMs, System::nanoTime);
  }

  /**
   * Begins all. An end waits for that.
   *
   * @param service which knows what commands mean
   * @param durations hears when the service begins and ends a snapshot; null: nobody does
   * @param terminated hears which part has ended by itself; its thread
   * @param onArchiveError hears what goes wrong in the archive; its thread
   */
  synchronized void launch(
      ClusteredService service,
      SnapshotDurationTracker durations,
      Consumer<String> terminated,
      Consumer<Throwable> onArchiveError) {
    try {
      launchBoth(terminated, onArchiveError);
      consensus = ConsensusModule.launch(consensusContext(terminated));
      containerClient = containerClient();
      container = ClusteredServiceContainer.launch(serviceContext(service, durations, terminated));
    } catch (Throwable t) {
      Closing.after(t, this);
      throw t;
    }
  }

  /**
   * Begins no more than what a copy of another member's log is recorded by: driver and archive.
   *
   * @param terminated hears which part has ended by itself; its thread
   */
  synchronized void launchArchive(Consumer<String> terminated) {
    try {
      launchBoth(terminated, error -> {});
    } catch (Throwable t) {
      Closing.after(t, this);
      throw t;
    }
  }

  /** Driver and archive; once more after each frame that has to be cut off. */
  private void launchBoth(Consumer<String> terminated, Consumer<Throwable> onArchiveError) {
    encloseDriver();
    TornFrameRepair unfinished = new TornFrameRepair(directory.archive());
    while (archive == null) {
      driver = MediaDriver.launch(driverContext(terminated));
      try {
        archive = Archive.launch(archiveContext(onArchiveError));
      } catch (ArchiveException e) {
        // What the archive has told this one would be in the way of the next archive.
        driver.close();
        unfinished.cut(e);
      }
    }
  }

  private void encloseDriver() {
    try {
      DriverDirectory.enclose(config.driverDirectory());
    } catch (IOException e) {
      throw new UncheckedIOException("making " + config.driverDirectory().getParent(), e);
    }
  }

  private MediaDriver.Context driverContext(Consumer<String> terminated) {
    long processNs = config.liveness().processTimeout().toNanos();
    return new MediaDriver.Context()
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true)
        .threadingMode(ThreadingMode.SHARED)
        .sharedIdleStrategy(idleStrategies.driver())
        .termBufferSparseFile(true)
        .publicationTermBufferLength(NETWORK_TERM_BYTES)
        .ipcTermBufferLength(IPC_TERM_BYTES)
        .clientLivenessTimeoutNs(processNs)
        .imageLivenessTimeoutNs(processNs)
        .timerIntervalNs(driverTimerNs())
        .conductorDutyCycleTracker(watch(DRIVER))
        .spiesSimulateConnection(true)
        .errorHandler(errors.in(DRIVER))
        .terminationHook(() -> ended(DRIVER, terminated));
  }

  private Archive.Context archiveContext(Consumer<Throwable> onArchiveError) {
    int syncLevel = syncLevel();
    ErrorHandler told = errors.in(ARCHIVE);
    return new Archive.Context()
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .archiveDir(directory.archive())
        .archiveId(config.memberId())
        .controlChannel("aeron:udp?term-length=64k|endpoint=" + config.address().archive())
        .localControlChannel(IPC)
        .replicationChannel(anyPort())
        .recordingEventsEnabled(false)
        .threadingMode(ArchiveThreadingMode.SHARED)
        .idleStrategySupplier(idleStrategies::archive)
        .conductorDutyCycleTracker(watch(ARCHIVE))
        .segmentFileLength(config.segmentBytes())
        // What may not take the last of the disk is refused before, and does not end the member.
        .lowStorageSpaceThreshold(NO_STORAGE_THRESHOLD)
        .catalogFileSyncLevel(syncLevel)
        .fileSyncLevel(syncLevel)
        .recordChecksum(new FrameChecksum())
        .replayChecksum(new FrameChecksum())
        .errorHandler(
            error -> {
              told.onError(error);
              onArchiveError.accept(error);
            });
  }

  /**
   * How often the driver looks what it can let go of: a stream that has been given up is there for
   * up to two of these. One by which a follower could not catch up would be in the way of the next,
   * which has the same session, if that follower asked again sooner.
   */
  private long driverTimerNs() {
    return Math.min(DRIVER_TIMER_NS_MAX, config.liveness().heartbeatTimeout().toNanos() / 6);
  }

  private StallMonitor watch(String part) {
    return new StallMonitor(part, stallNs(), System::nanoTime, errors::inform);
  }

  /** What counts as a stall of a thread: one that brings others nearer to a vote. */
  private long stallNs() {
    return config.liveness().heartbeatTimeout().toNanos() / 4;
  }

  private ConsensusModule.Context consensusContext(Consumer<String> terminated) {
    Liveness liveness = config.liveness();
    ConsensusModule.Context context = new ConsensusModule.Context();
    ElectionMonitor watch =
        new ElectionMonitor(
            electionOf(context),
            stallNs(),
            liveness.heartbeatTimeout().toNanos(),
            System::nanoTime,
            errors::inform);
    ErrorHandler told = errors.in(CONSENSUS);
    return context
        .dutyCycleTracker(watch)
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .clusterDir(directory.cluster())
        .clusterMemberId(config.memberId())
        .clusterMembers(MemberAddress.forConsensus(config.members()))
        .archiveContext(localArchive())
        .ingressChannel(config.commandChannel())
        .logChannel(config.commandChannel())
        .snapshotChannel(snapshotChannel())
        .replicationChannel(anyPort())
        .fileSyncLevel(syncLevel())
        .leaderHeartbeatIntervalNs(liveness.heartbeatInterval().toNanos())
        .leaderHeartbeatTimeoutNs(liveness.heartbeatTimeout().toNanos())
        .electionTimeoutNs(liveness.electionTimeout().toNanos())
        // How often those that vote say how far they have come; by default seldom beside the rest.
        .electionStatusIntervalNs(liveness.heartbeatInterval().toNanos())
        .startupCanvassTimeoutNs(liveness.canvassTimeout().toNanos())
        .sessionTimeoutNs(liveness.sessionTimeout().toNanos())
        .maxConcurrentSessions(config.sessionsMax())
        .authenticatorSupplier(() -> new MemberAuthenticator(config.secret()))
        .authorisationServiceSupplier(() -> MemberComponents::isAuthorised)
        .clusterClock(clusterClock)
        .idleStrategySupplier(idleStrategies::consensus)
        .errorHandler(
            error -> {
              watch.onError(error);
              told.onError(error);
            })
        .terminationHook(() -> ended(CONSENSUS, terminated));
  }

  private static ElectionMonitor.Election electionOf(ConsensusModule.Context context) {
    return new ElectionMonitor.Election() {
      @Override
      public long state() {
        return context.electionStateCounter().get();
      }

      @Override
      public boolean isLeader() {
        return Cluster.Role.get(context.clusterNodeRoleCounter()) == Cluster.Role.LEADER;
      }

      @Override
      public long termId() {
        return context.leadershipTermIdCounter().get();
      }
    };
  }

  /** Whoever replaces a member asks where the log is; nothing else is asked for here. */
  private static boolean isAuthorised(
      int protocolId, int actionId, Object type, byte[] encodedPrincipal) {
    return protocolId == MessageHeaderDecoder.SCHEMA_ID
        && actionId == BackupQueryDecoder.TEMPLATE_ID
        && MemberPrincipal.isValid(encodedPrincipal);
  }

  private ClusteredServiceContainer.Context serviceContext(
      ClusteredService service, SnapshotDurationTracker durations, Consumer<String> terminated) {
    return new ClusteredServiceContainer.Context()
        .aeron(containerClient)
        .ownsAeronClient(true)
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .clusterDir(directory.cluster())
        .archiveContext(localArchive())
        .snapshotChannel(snapshotChannel())
        .clusteredService(service)
        .snapshotDurationTracker(durations)
        .dutyCycleTracker(watch(SERVICE))
        .isRespondingService(isResponding)
        .idleStrategySupplier(idleStrategies::service)
        .errorHandler(errors.in(SERVICE))
        .terminationHook(() -> ended(SERVICE, terminated));
  }

  /**
   * As the container would make it, but for how it comes to its end by itself, as when the process
   * has stood still. Then the client's thread holds the client's lock and waits nine seconds for
   * the container's thread, which waits for that lock. Interrupted, it does not wait.
   */
  private Aeron containerClient() {
    ErrorHandler told = errors.in(SERVICE);
    return Aeron.connect(
        clientContext(
                error -> {
                  if (error instanceof AgentTerminationException) {
                    Thread.currentThread().interrupt();
                  } else {
                    told.onError(error);
                  }
                })
            .awaitingIdleStrategy(YieldingIdleStrategy.INSTANCE)
            .clientName("clustered-service-0-0"));
  }

  private Aeron.Context clientContext(ErrorHandler told) {
    return new Aeron.Context()
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .errorHandler(told)
        .subscriberErrorHandler(RethrowingErrorHandler.INSTANCE);
  }

  /**
   * For another client of this member's archive. Any thread.
   *
   * @throws IllegalStateException if the member has ended
   */
  AeronArchive.Context archiveClient() {
    return localArchive()
        .aeron(archiveClients())
        .messageTimeoutNs(ANSWER_NS)
        .errorHandler(errors.in(CLIENT));
  }

  /** An archive's client that makes one for itself goes by the wall clock. */
  private synchronized Aeron archiveClients() {
    requireOpen();
    if (archiveClients == null || archiveClients.isClosed()) {
      archiveClients =
          Aeron.connect(clientContext(errors.in(CLIENT)).clientName("entroq-archive-clients"));
    }
    return archiveClients;
  }

  /** Reaches the archive of this process. */
  AeronArchive.Context localArchive() {
    return new AeronArchive.Context()
        .lock(NoOpLock.INSTANCE)
        .aeronDirectoryName(config.driverDirectory().toString())
        .controlRequestChannel(IPC)
        .controlResponseChannel(IPC);
  }

  private String snapshotChannel() {
    int frameBytes = Math.min(FRAME_BYTES_MAX, config.termBytes() / 8);
    return "aeron:ipc?alias=snapshot|term-length=%d|mtu=%d"
        .formatted(config.termBytes(), frameBytes);
  }

  /** By member, for clients of the archives of the others. */
  Map<Integer, AeronArchive.Context> otherArchives() {
    Map<Integer, AeronArchive.Context> others = new TreeMap<>();
    for (int id = 0; id < config.members().size(); id++) {
      if (id != config.memberId()) {
        others.put(id, remoteArchive(config.members().get(id)));
      }
    }
    return others;
  }

  private AeronArchive.Context remoteArchive(MemberAddress other) {
    return new AeronArchive.Context()
        .lock(NoOpLock.INSTANCE)
        .aeron(archiveClients())
        .messageTimeoutNs(ANSWER_NS)
        .errorHandler(errors.in(CLIENT))
        .controlRequestChannel("aeron:udp?term-length=64k|endpoint=" + other.archive())
        .controlResponseChannel("aeron:udp?term-length=64k|endpoint=" + anyEndpoint());
  }

  private String anyEndpoint() {
    return config.address().host() + ":0";
  }

  private String anyPort() {
    return "aeron:udp?endpoint=" + anyEndpoint();
  }

  /** Of the archive, of its catalogue, and of the votes: 1 forces the data, 0 nothing. */
  private int syncLevel() {
    return config.durability() == Durability.DISK ? 1 : 0;
  }

  /** The part gives back what it has mapped as soon as this returns. */
  private void ended(String part, Consumer<String> terminated) {
    shut();
    terminated.accept(part);
  }

  /** What all clients of this member's driver have to go by. */
  EpochClock epochClock() {
    return epochClock;
  }

  /** How the parts wait for work. */
  MemberIdleStrategies idleStrategies() {
    return idleStrategies;
  }

  /**
   * What the consensus module is at, with what others know. Any thread.
   *
   * @param leadership as the member's session knows it
   */
  MemberStatus status(Leadership leadership, long appliedPosition, long appliedSequence) {
    synchronized (counters) {
      ConsensusModule.Context context = open();
      long termId = context.leadershipTermIdCounter().get();
      return new MemberStatus(
          config.memberId(),
          Cluster.Role.get(context.clusterNodeRoleCounter()).name(),
          ElectionState.get(context.electionStateCounter()).name(),
          // What the session has not heard yet of a new one is not true any more.
          leadership.termId() == termId ? leadership.memberId() : -1,
          termId,
          context.commitPositionCounter().get(),
          appliedPosition,
          appliedSequence,
          context.snapshotCounter().get());
    }
  }

  /** Whether it still reads what it begins with. Any thread. */
  boolean isBeginning() {
    synchronized (counters) {
      return isClosed
          || consensus == null
          || consensus.context().moduleStateCounter().get() == ConsensusModule.State.INIT.code();
    }
  }

  /** Whether a snapshot has been begun, and is neither complete nor given up. Any thread. */
  boolean isTakingSnapshot() {
    synchronized (counters) {
      return open().moduleStateCounter().get() == ConsensusModule.State.SNAPSHOT.code();
    }
  }

  /** Asks for a snapshot of all members, which only a leader can for whom all have voted. */
  boolean toggleSnapshot() {
    synchronized (counters) {
      ConsensusModule.Context context = open();
      return Cluster.Role.get(context.clusterNodeRoleCounter()) == Cluster.Role.LEADER
          && ElectionState.get(context.electionStateCounter()) == ElectionState.CLOSED
          && ClusterControl.ToggleState.SNAPSHOT.toggle(context.controlToggleCounter());
    }
  }

  private ConsensusModule.Context open() {
    requireOpen();
    return consensus.context();
  }

  private void requireOpen() {
    synchronized (counters) {
      if (isClosed) {
        throw new IllegalStateException("the member has ended");
      }
    }
  }

  /** Nobody may look at counters whose memory is given back. Any thread, any number of times. */
  void shut() {
    synchronized (counters) {
      isClosed = true;
    }
  }

  /** Takes the driver away first, as if the process had been killed. */
  synchronized void kill() {
    shut();
    Closing.all(driver, archiveClients, consensus, container, archive);
  }

  @Override
  public synchronized void close() {
    shut();
    Closing.all(
        archiveClients,
        consensus,
        container,
        containerClient,
        archive,
        driver,
        () -> DriverDirectory.remove(config.driverDirectory()));
  }
}
