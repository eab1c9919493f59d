package io.entroq.cluster.member;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.CommonContext;
import io.aeron.Counter;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.codecs.BackupQueryDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.cluster.service.SnapshotDurationTracker;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.entroq.api.Durability;
import io.entroq.cluster.aeron.CandidateOrder;
import io.entroq.cluster.aeron.ConsensusCycle;
import io.entroq.cluster.aeron.ElectionMonitor;
import io.entroq.cluster.aeron.ElectionPatience;
import io.entroq.cluster.aeron.FrameChecksum;
import io.entroq.cluster.aeron.LogReceiver;
import io.entroq.cluster.aeron.MappedCounters;
import io.entroq.cluster.aeron.MemberClock;
import io.entroq.cluster.aeron.MemberIdleStrategies;
import io.entroq.cluster.aeron.SetupRepeater;
import io.entroq.cluster.aeron.StallMonitor;
import io.entroq.cluster.aeron.SteadyEpochClock;
import io.entroq.cluster.aeron.TermGuard;
import io.entroq.cluster.session.ArchiveAccess;
import io.entroq.cluster.session.Leadership;
import io.entroq.cluster.session.MemberAuthenticator;
import io.entroq.cluster.session.MemberPrincipal;
import io.entroq.engine.Closing;
import io.entroq.engine.time.LogClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/**
 * The Aeron components of a member: media driver, archive, consensus module, service container.
 * Started in this order and closed in reverse.
 */
final class MemberComponents implements AutoCloseable {
  private static final String DRIVER = "media driver";
  private static final String ARCHIVE = "archive";
  static final String CONSENSUS = "consensus module";
  private static final String SERVICE = "service container";
  private static final String CLIENT = "archive client";
  private static final String IPC = "aeron:ipc?term-length=1m";
  private static final int NETWORK_TERM_BYTES = 1 << 20;
  private static final int IPC_TERM_BYTES = 1 << 20;

  /** The largest frame that Aeron allows; used for snapshots. */
  private static final int FRAME_BYTES_MAX = 65_504;

  /**
   * Disables the archive's own disk check. Below its threshold it refuses recordings, and refusing
   * that of a snapshot ends the service container and the consensus module.
   */
  private static final long NO_STORAGE_THRESHOLD = -1;

  private static final long DRIVER_TIMER_NS_MAX = TimeUnit.SECONDS.toNanos(1);

  /** How long an archive may take to answer. */
  private static final long ARCHIVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

  /**
   * How long this member's own archive may take to answer consensus module and service, which fail
   * otherwise. It lives as long as they do.
   */
  private static final long OWN_ARCHIVE_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(2);

  private final MemberConfig config;
  private final MemberDirectory directory;
  private final MemberErrors errors;
  private final boolean isResponding;
  private final MemberIdleStrategies idleStrategies;
  private final ArchiveAccess archiveAccess;
  private final StallMonitor driverMonitor;
  private final MemberClock memberClock;
  private final EpochClock epochClock;
  private MediaDriver driver;
  private Archive archive;
  private ConsensusModule consensus;
  private ClusteredServiceContainer container;

  /** Null until launched. */
  private Aeron containerClient;

  /** Shared by all archive clients; null until one is needed. */
  private Aeron archiveClients;

  /** Null until the consensus module is launched. */
  private volatile CountersReader counters;

  private volatile boolean hasEnded;

  /** Whether the driver is closed to be started again. */
  private volatile boolean isRepairing;

  /**
   * @param isResponding whether the service replies over sessions
   * @param clock provides log time while this member leads
   * @param level the behavior level of the state; 0 if it is not known
   */
  MemberComponents(
      MemberConfig config,
      MemberDirectory directory,
      MemberErrors errors,
      boolean isResponding,
      LogClock clock,
      IntSupplier level) {
    this.config = config;
    this.directory = directory;
    this.errors = errors;
    this.isResponding = isResponding;
    archiveAccess = new ArchiveAccess(config.secret(), level);
    idleStrategies = new MemberIdleStrategies(isResponding);
    driverMonitor = stallMonitor(DRIVER);
    memberClock =
        new MemberClock(
            clock::nowMs,
            System::nanoTime,
            driverMonitor::lastNs,
            config.liveness().heartbeatTimeout().toNanos());
    epochClock = new SteadyEpochClock(clock::wallMs, System::nanoTime);
  }

  /**
   * Starts all components. A concurrent close waits for this.
   *
   * @param service applies commands
   * @param durations notified when the service starts and ends a snapshot; may be null
   * @param terminated called with the name of a component that has ended by itself, on its thread
   * @param onArchiveError called with errors of the archive, on its thread
   */
  synchronized void launch(
      ClusteredService service,
      SnapshotDurationTracker durations,
      Consumer<String> terminated,
      Consumer<Throwable> onArchiveError) {
    try {
      launchDriverAndArchive(terminated, onArchiveError);
      consensus = ConsensusModule.launch(consensusContext(terminated));
      counters = MappedCounters.of(config.driverDirectory());
      containerClient = containerClient();
      container = ClusteredServiceContainer.launch(serviceContext(service, durations, terminated));
    } catch (Throwable t) {
      Closing.after(t, this);
      throw t;
    }
  }

  /**
   * Starts only driver and archive, to record a copy of another member's log.
   *
   * @param terminated called with the name of a component that has ended by itself, on its thread
   */
  synchronized void launchArchive(Consumer<String> terminated) {
    try {
      launchDriverAndArchive(terminated, error -> {});
    } catch (Throwable t) {
      Closing.after(t, this);
      throw t;
    }
  }

  /** Retries after each torn frame that the repair has cut off. */
  private void launchDriverAndArchive(
      Consumer<String> terminated, Consumer<Throwable> onArchiveError) {
    createDriverParent();
    TornFrameRepair repair = new TornFrameRepair(directory.archive());
    while (archive == null) {
      driver = MediaDriver.launch(driverContext(terminated));
      try {
        archive = Archive.launch(archiveContext(terminated, onArchiveError));
      } catch (ArchiveException e) {
        // The failed archive has registered with this driver, which would block the next archive.
        isRepairing = true;
        driver.close();
        repair.cut(e);
        isRepairing = false;
      }
    }
  }

  private void createDriverParent() {
    try {
      DriverDirectory.createParent(config.driverDirectory());
    } catch (IOException e) {
      throw new UncheckedIOException("creating " + config.driverDirectory().getParent(), e);
    }
  }

  private MediaDriver.Context driverContext(Consumer<String> terminated) {
    long processNs = config.liveness().processTimeout().toNanos();
    SetupRepeater setups = new SetupRepeater(System::nanoTime);
    MediaDriver.Context context = new MediaDriver.Context();
    // Endpoints of the user's choice go first, such as those that lose packets in tests.
    if (System.getProperty(Configuration.SEND_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME) == null) {
      context.sendChannelEndpointSupplier(setups);
    }
    if (System.getProperty(Configuration.RECEIVE_CHANNEL_ENDPOINT_SUPPLIER_PROP_NAME) == null) {
      context.receiveChannelEndpointSupplier(new LogReceiver());
    }
    return context
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
        // The driver refuses one that is not longer.
        .publicationUnblockTimeoutNs(processNs + processNs / 2)
        .imageLivenessTimeoutNs(processNs)
        .timerIntervalNs(driverTimerNs())
        .conductorDutyCycleTracker(driverMonitor)
        .senderDutyCycleTracker(setups)
        .spiesSimulateConnection(true)
        .errorHandler(errors.handler(DRIVER))
        .sharedThreadFactory(threads(DRIVER, terminated))
        .terminationHook(() -> onEnded(DRIVER, terminated));
  }

  private Archive.Context archiveContext(
      Consumer<String> terminated, Consumer<Throwable> onArchiveError) {
    int syncLevel = syncLevel();
    ErrorHandler logger = errors.handler(ARCHIVE);
    ErrorHandler handler =
        error -> {
          logger.onError(error);
          onArchiveError.accept(error);
        };
    Aeron client = invokedClient(handler, "archive-" + config.memberId());
    return new Archive.Context()
        .aeron(client)
        .ownsAeronClient(true)
        .errorCounter(
            client.addCounter(AeronCounters.ARCHIVE_ERROR_COUNT_TYPE_ID, "Archive Errors"))
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .archiveDir(directory.archive())
        .archiveId(config.memberId())
        .controlChannel("aeron:udp?term-length=64k|endpoint=" + config.address().archive())
        .localControlChannel(IPC)
        .replicationChannel(anyPort())
        .authenticatorSupplier(archiveAccess::authenticator)
        .authorisationServiceSupplier(() -> archiveAccess)
        // For copies of other members' recordings.
        .archiveClientContext(
            new AeronArchive.Context().credentialsSupplier(archiveAccess.remoteCredentials()))
        .recordingEventsEnabled(false)
        .threadingMode(ArchiveThreadingMode.SHARED)
        .idleStrategySupplier(idleStrategies::archive)
        .conductorDutyCycleTracker(stallMonitor(ARCHIVE))
        .segmentFileLength(config.segmentBytes())
        // Admission and the snapshot's space guard check the disk, without ending the member.
        .lowStorageSpaceThreshold(NO_STORAGE_THRESHOLD)
        .catalogFileSyncLevel(syncLevel)
        .fileSyncLevel(syncLevel)
        .threadFactory(threads(ARCHIVE, terminated))
        .recordChecksum(new FrameChecksum())
        .replayChecksum(new FrameChecksum())
        .errorHandler(handler);
  }

  /**
   * How often the driver looks for resources to release. It keeps an abandoned stream for up to
   * twice this time. The stream of a failed catch-up would block the follower's next attempt, which
   * has the same session, so this must be shorter than the follower takes to retry.
   */
  private long driverTimerNs() {
    return Math.min(DRIVER_TIMER_NS_MAX, config.liveness().heartbeatTimeout().toNanos() / 6);
  }

  private StallMonitor stallMonitor(String component) {
    return new StallMonitor(component, stallNs(), System::nanoTime, errors::info);
  }

  /** The shortest reported stall: long enough to bring other members closer to an election. */
  private long stallNs() {
    return config.liveness().heartbeatTimeout().toNanos() / 4;
  }

  private ConsensusModule.Context consensusContext(Consumer<String> terminated) {
    Liveness liveness = config.liveness();
    ConsensusModule.Context context = new ConsensusModule.Context();
    ElectionMonitor.Election election = electionOf(context);
    TermGuard guard =
        new TermGuard(
            election,
            config.memberId(),
            context::nodeStateFile,
            context::recordingLog,
            System::nanoTime,
            errors::info);
    ElectionMonitor monitor =
        new ElectionMonitor(
            election,
            stallNs(),
            liveness.heartbeatTimeout().toNanos(),
            System::nanoTime,
            errors::info);
    ErrorHandler logger = errors.handler(CONSENSUS);
    ErrorHandler handler =
        error -> {
          monitor.onError(error);
          logger.onError(error);
        };
    Aeron client = invokedClient(handler, "consensus-module-0-" + config.memberId());
    return context
        .aeron(client)
        .ownsAeronClient(true)
        .errorCounter(
            client.addCounter(
                AeronCounters.CLUSTER_CONSENSUS_MODULE_ERROR_COUNT_TYPE_ID, "Cluster Errors"))
        .dutyCycleTracker(
            new ConsensusCycle(monitor, patience(context), memberClock, guard, System::nanoTime))
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .clusterDir(directory.cluster())
        .clusterMemberId(config.memberId())
        .clusterMembers(MemberAddress.forConsensus(config.members()))
        .archiveContext(patientArchive())
        .consensusStreamId(consensusStreamId(directory))
        .ingressChannel(config.commandChannel())
        .ingressStreamId(ingressStreamId(directory))
        .logChannel(config.commandChannel())
        .snapshotChannel(snapshotChannel())
        .replicationChannel(anyPort())
        .fileSyncLevel(syncLevel())
        .leaderHeartbeatIntervalNs(liveness.heartbeatInterval().toNanos())
        .leaderHeartbeatTimeoutNs(liveness.heartbeatTimeout().toNanos())
        .electionTimeoutNs(liveness.electionTimeout().toNanos())
        // How often voters report their position; the default is long compared with the rest.
        .electionStatusIntervalNs(liveness.heartbeatInterval().toNanos())
        .random(new CandidateOrder(config.memberId(), config.members().size()))
        .startupCanvassTimeoutNs(liveness.canvassTimeout().toNanos())
        .sessionTimeoutNs(liveness.sessionTimeout().toNanos())
        .maxConcurrentSessions(config.sessionsMax())
        .authenticatorSupplier(() -> new MemberAuthenticator(config.secret()))
        .authorisationServiceSupplier(() -> MemberComponents::isAuthorised)
        .clusterClock(memberClock)
        .idleStrategySupplier(idleStrategies::consensus)
        .threadFactory(
            runner -> {
              guard.guard(((AgentRunner) runner).agent());
              return threads(CONSENSUS, terminated).newThread(runner);
            })
        .totalSnapshotDurationTracker(idleStrategies.snapshotTracker())
        .errorHandler(handler)
        .terminationHook(() -> onEnded(CONSENSUS, terminated));
  }

  /** Never the same as that of other members of the cluster, before or after a change. */
  static int consensusStreamId(MemberDirectory directory) {
    return ConsensusModule.Configuration.consensusStreamId() + directory.streamOffset();
  }

  /** The same of the leader's ingress. */
  static int ingressStreamId(MemberDirectory directory) {
    return AeronCluster.Configuration.ingressStreamId() + directory.streamOffset();
  }

  /** The module reads these limits of its context in each step of an election. */
  private ElectionPatience patience(ConsensusModule.Context context) {
    return new ElectionPatience(
        config.liveness().heartbeatTimeout().toNanos(),
        config.liveness().electionTimeout().toNanos(),
        (stepNs, ballotNs) -> {
          context.leaderHeartbeatTimeoutNs(stepNs);
          context.electionTimeoutNs(ballotNs);
        });
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

  /** Allows only the query of a member replacement for the location of the log. */
  private static boolean isAuthorised(
      int protocolId, int actionId, Object type, byte[] encodedPrincipal) {
    return protocolId == MessageHeaderDecoder.SCHEMA_ID
        && actionId == BackupQueryDecoder.TEMPLATE_ID
        && MemberPrincipal.isValid(encodedPrincipal);
  }

  private ClusteredServiceContainer.Context serviceContext(
      ClusteredService service, SnapshotDurationTracker durations, Consumer<String> terminated) {
    ErrorHandler logger = errors.handler(SERVICE);
    return new ClusteredServiceContainer.Context()
        .aeron(containerClient)
        .ownsAeronClient(true)
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .clusterDir(directory.cluster())
        .archiveContext(patientArchive())
        .snapshotChannel(snapshotChannel())
        .clusteredService(service)
        .snapshotDurationTracker(durations)
        .dutyCycleTracker(stallMonitor(SERVICE))
        .isRespondingService(isResponding)
        .idleStrategySupplier(idleStrategies::service)
        .threadFactory(threads(SERVICE, terminated))
        .errorHandler(
            error -> {
              logger.onError(error);
              if (isBehindItsLog(error)) {
                onEnded(SERVICE, terminated);
              }
            })
        .terminationHook(() -> onEnded(SERVICE, terminated));
  }

  /**
   * Whether the container lost a part of the log, as when a catch-up stream closes before the
   * container has read what the consensus module has. The module then waits for it for ever, but a
   * restart reads that part from the disk.
   */
  private static boolean isBehindItsLog(Throwable error) {
    return error instanceof ClusterException
        && error.getMessage().contains("log must be contiguous");
  }

  /**
   * Like the container's own client, except when the client ends by itself, for example after the
   * process stalled. Then the client's thread holds the client's lock and waits nine seconds for
   * the container's thread, which waits for that lock. If it is interrupted, it does not wait.
   */
  private Aeron containerClient() {
    ErrorHandler logger = errors.handler(SERVICE);
    return Aeron.connect(
        clientContext(
                error -> {
                  if (error instanceof AgentTerminationException) {
                    Thread.currentThread().interrupt();
                  } else {
                    logger.onError(error);
                  }
                })
            .awaitingIdleStrategy(YieldingIdleStrategy.INSTANCE)
            .idleStrategy(idleStrategies.serviceClient())
            .clientName("clustered-service-0-0"));
  }

  /** The client of a component whose thread also does the client's work. */
  private Aeron invokedClient(ErrorHandler handler, String name) {
    return Aeron.connect(
        clientContext(handler)
            .useConductorAgentInvoker(true)
            .clientLock(NoOpLock.INSTANCE)
            .awaitingIdleStrategy(YieldingIdleStrategy.INSTANCE)
            .clientName(name));
  }

  private Aeron.Context clientContext(ErrorHandler handler) {
    return clientContext()
        .errorHandler(handler)
        .subscriberErrorHandler(RethrowingErrorHandler.INSTANCE);
  }

  /**
   * The context of a client of this member's driver. The client does not give up a stalled driver
   * before the driver would give up a stalled client, nor before Aeron's default: the member
   * notices the end of its driver without that.
   */
  Aeron.Context clientContext() {
    long processMs = config.liveness().processTimeout().toMillis();
    return new Aeron.Context()
        .aeronDirectoryName(config.driverDirectory().toString())
        .epochClock(epochClock)
        .driverTimeoutMs(Math.max(processMs, CommonContext.DRIVER_TIMEOUT_MS));
  }

  /**
   * The context of a new client of this member's archive. Any thread.
   *
   * @throws IllegalStateException if the member has ended
   */
  AeronArchive.Context archiveClient() {
    return localArchive()
        .aeron(archiveClients())
        .messageTimeoutNs(ARCHIVE_TIMEOUT_NS)
        .errorHandler(errors.handler(CLIENT));
  }

  /** Archive clients share this Aeron client; one of their own would use the wall clock. */
  private synchronized Aeron archiveClients() {
    requireOpen();
    if (archiveClients == null || archiveClients.isClosed()) {
      archiveClients =
          Aeron.connect(clientContext(errors.handler(CLIENT)).clientName("entroq-archive-clients"));
    }
    return archiveClients;
  }

  /** Connects to this process's archive. */
  AeronArchive.Context localArchive() {
    return new AeronArchive.Context()
        .lock(NoOpLock.INSTANCE)
        .aeronDirectoryName(config.driverDirectory().toString())
        .controlRequestChannel(IPC)
        .controlResponseChannel(IPC)
        .credentialsSupplier(archiveAccess.ownCredentials());
  }

  private AeronArchive.Context patientArchive() {
    return localArchive()
        .messageTimeoutNs(OWN_ARCHIVE_TIMEOUT_NS)
        .idleStrategy(idleStrategies.forSnapshots());
  }

  private String snapshotChannel() {
    int frameBytes = Math.min(FRAME_BYTES_MAX, config.termBytes() / 8);
    return "aeron:ipc?alias=snapshot|term-length=%d|mtu=%d"
        .formatted(config.termBytes(), frameBytes);
  }

  /** Contexts of clients of the other members' archives, by member. */
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
        .messageTimeoutNs(ARCHIVE_TIMEOUT_NS)
        .errorHandler(errors.handler(CLIENT))
        .credentialsSupplier(archiveAccess.remoteCredentials())
        .controlRequestChannel("aeron:udp?term-length=64k|endpoint=" + other.archive())
        .controlResponseChannel("aeron:udp?term-length=64k|endpoint=" + anyEndpoint());
  }

  private String anyEndpoint() {
    return config.address().host() + ":0";
  }

  private String anyPort() {
    return "aeron:udp?endpoint=" + anyEndpoint();
  }

  /** For the archive, its catalog and the votes: 1 forces the data, 0 nothing. */
  private int syncLevel() {
    return config.durability() == Durability.DISK ? 1 : 0;
  }

  private ThreadFactory threads(String component, Consumer<String> terminated) {
    return agent ->
        watched(
            agent,
            errors.handler(component),
            () -> {
              if (!hasEnded && !isRepairing) {
                onEnded(component, terminated);
              }
            });
  }

  /**
   * A thread that tells when it has ended: when it was asked to, when its agent could not start, as
   * when the archive did not answer in time, or when an error could not be handled, as on a full
   * disk, because components record errors in mapped files. No termination hook tells the last two.
   */
  static Thread watched(Runnable agent, ErrorHandler onError, Runnable onEnd) {
    return new Thread(
        () -> {
          try {
            agent.run();
          } catch (Throwable t) {
            onError.onError(t);
          }
          onEnd.run();
        });
  }

  private void onEnded(String component, Consumer<String> terminated) {
    markEnded();
    terminated.accept(component);
  }

  /** The clock that all clients of this member's driver must use. */
  EpochClock epochClock() {
    return epochClock;
  }

  MemberIdleStrategies idleStrategies() {
    return idleStrategies;
  }

  /**
   * The status of the consensus module and the service. Any thread.
   *
   * @param leadership as the member's session sees it
   */
  MemberStatus status(Leadership leadership, long appliedPosition, long appliedSequence) {
    requireOpen();
    ConsensusModule.Context context = consensus.context();
    long termId = valueOf(context.leadershipTermIdCounter());
    return new MemberStatus(
        config.memberId(),
        Cluster.Role.get(valueOf(context.clusterNodeRoleCounter())).name(),
        ElectionState.get(valueOf(context.electionStateCounter())).name(),
        // The session's view is outdated if it has not heard of a newer term.
        leadership.termId() == termId ? leadership.memberId() : -1,
        termId,
        valueOf(context.commitPositionCounter()),
        appliedPosition,
        appliedSequence,
        valueOf(context.snapshotCounter()));
  }

  /** The term in which this member leads; empty if it does not, or has ended. Any thread. */
  OptionalLong leads() {
    return isStarting() || !isLeader()
        ? OptionalLong.empty()
        : OptionalLong.of(valueOf(consensus.context().leadershipTermIdCounter()));
  }

  /** The leader has said that it leaves. Any thread. */
  void onLeaderLeaving() {
    memberClock.onLeaderLeaving();
  }

  /** Whether the member is still loading its snapshot. Any thread. */
  boolean isStarting() {
    return hasEnded || counters == null || isIn(ConsensusModule.State.INIT);
  }

  /** Whether a snapshot is in progress. Any thread. */
  boolean isTakingSnapshot() {
    requireOpen();
    return isIn(ConsensusModule.State.SNAPSHOT);
  }

  /** Requests a snapshot of all members; false unless this member leads and no election runs. */
  boolean toggleSnapshot() {
    return toggle(ClusterControl.ToggleState.SNAPSHOT);
  }

  /** Requests a snapshot of all members, with which they end; false as above. */
  boolean toggleShutdown() {
    return toggle(ClusterControl.ToggleState.SHUTDOWN);
  }

  private boolean toggle(ClusterControl.ToggleState to) {
    requireOpen();
    ConsensusModule.Context context = consensus.context();
    return isLeader()
        && valueOf(context.electionStateCounter()) == ElectionState.CLOSED.code()
        && to.toggle(
            new AtomicCounter(counters.valuesBuffer(), context.controlToggleCounter().id()));
  }

  private boolean isIn(ConsensusModule.State state) {
    return valueOf(consensus.context().moduleStateCounter()) == state.code();
  }

  private boolean isLeader() {
    return valueOf(consensus.context().clusterNodeRoleCounter()) == Cluster.Role.LEADER.code();
  }

  /** Does not read the counter itself, whose memory its client unmaps at any time. */
  private long valueOf(Counter counter) {
    return counters.getCounterValue(counter.id());
  }

  private void requireOpen() {
    if (hasEnded) {
      throw new IllegalStateException("the member has ended");
    }
  }

  /** Refuses questions from now on. Any thread, any number of times. */
  void markEnded() {
    hasEnded = true;
  }

  /** For tests: like the end of the consensus module's client, which its thread notices later. */
  void closeConsensusClient() {
    consensus.context().aeron().conductorAgentInvoker().close();
  }

  /** Closes the consensus module first, so that the others soon elect another leader. */
  synchronized void closeConsensus() {
    markEnded();
    Closing.all(consensus);
  }

  /** Closes the driver first, which looks to the others like a killed process. */
  synchronized void kill() {
    markEnded();
    Closing.all(driver, archiveClients, consensus, container, archive);
  }

  @Override
  public synchronized void close() {
    markEnded();
    Closing.all(
        archiveClients,
        consensus,
        container,
        containerClient,
        archive,
        driver,
        () -> DriverDirectory.removeParent(config.driverDirectory()));
  }
}
