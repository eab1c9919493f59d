package io.entroq.engine.replica;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.call.LevelRequest;
import io.entroq.engine.embedded.DirectoryViews;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.feed.DirectoryHistory;
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.feed.FeedSource;
import io.entroq.engine.feed.FeedSwitch;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.gateway.Views;
import io.entroq.engine.history.ReplayBudget;
import io.entroq.engine.local.CallerSide;
import io.entroq.engine.local.Entrance;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.OpenGate;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.AdaptiveYield;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.space.SpaceGuard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * An engine whose commands are ordered elsewhere, together with those of its replicas. Two threads
 * of its user drive it: one proposes callers' requests ({@link Proposer}), the other applies
 * committed ones ({@link Applier}). It has the callers' side, and a thread that completes futures.
 */
public final class ReplicatedEngine {
  private final CallerSide callers;
  private final EngineLifecycle state;
  private final long incarnation;
  private final LongSupplier nanoTime;
  private final ProposalAdmission admission;
  private final Proposer proposer;
  private final Applier applier;
  private final ReplicatedEntroQ queue;
  private final FeedHub feed;

  /** Null if there is no history. */
  private final DirectoryViews views;

  /**
   * An engine that writes to no disk.
   *
   * @param config its limits apply to callers; its directory, disk and clock settings are ignored
   * @param wallMs milliseconds since the epoch, to turn callers' time-outs into deadlines
   * @param patience resend interval of commands that are not committed
   */
  public ReplicatedEngine(EmbeddedConfig config, LongSupplier wallMs, Duration patience) {
    this(
        config,
        SpaceGuard.ofNothing(),
        wallMs,
        patience,
        ReplicaEnvironment.ofThisMachine(),
        FeedHub.RING_BYTES,
        source -> null,
        true);
    callers.replyThread().start();
  }

  /**
   * An engine that refuses requests for which its disk has no room.
   *
   * @param config its disk settings apply too
   * @param directory where committed commands are written; exists
   * @param history what of the directory the feed may read; null for nothing
   */
  public ReplicatedEngine(
      EmbeddedConfig config,
      Path directory,
      ReplicaHistory history,
      LongSupplier wallMs,
      Duration patience) {
    this(
        config,
        config.spaceGuard(directory, System::nanoTime),
        wallMs,
        patience,
        ReplicaEnvironment.ofThisMachine(),
        FeedHub.RING_BYTES,
        source -> history == null ? null : history(config, directory, history, source),
        true);
    callers.replyThread().start();
  }

  private ReplicatedEngine(
      EmbeddedConfig config,
      SpaceGuard space,
      LongSupplier wallMs,
      Duration patience,
      ReplicaEnvironment seams,
      int ringBytes,
      Function<FeedSource, DirectoryHistory> openHistory,
      boolean hasThreads) {
    nanoTime = seams.nanoTime();
    incarnation = seams.random().nextLong() | 1;
    callers = new CallerSide(config.callerBounds(), incarnation);
    state = callers.lifecycle();
    Completer completer = callers.completer();
    SlotQueue requests = callers.requests();
    ReplicaClock clock = new ReplicaClock(wallMs);
    ProposalExchange exchange = new ProposalExchange(callers.slotsMax());
    admission =
        new ProposalAdmission(space, nanoTime, completer, requests.wakeup(), callers.slotsMax());
    proposer =
        new Proposer(
            requests,
            exchange,
            admission,
            completer,
            callers.lanes(),
            state,
            clock,
            incarnation,
            patience.toNanos(),
            seams);
    FeedSwitch feedSwitch = new FeedSwitch();
    applier =
        new Applier(
            exchange,
            admission,
            requests,
            callers.limits(),
            completer,
            callers.lanes(),
            state,
            clock,
            incarnation,
            config.memoryBytesMax(),
            seams.nanoTime(),
            feedSwitch);
    FeedSource source = feedSource(clock);
    DirectoryHistory history = openHistory.apply(source);
    feed = new FeedHub(feedSwitch, source, ringBytes, hasThreads, history);
    views = history == null ? null : new DirectoryViews(history, config);
    Entrance entrance =
        callers.entrance(
            new OpenGate(completer),
            new AdaptiveYield(),
            clock,
            applier::logId,
            applier::level,
            later -> {},
            seams.nanoTime());
    queue = new ReplicatedEntroQ(config, entrance, feed, seams.random());
  }

  private static DirectoryHistory history(
      EmbeddedConfig config, Path directory, ReplicaHistory files, FeedSource replica) {
    FeedSource source =
        new FeedSource(
            () -> Math.min(replica.visible().getAsLong(), files.written().getAsLong()),
            replica.lastUntil(),
            replica.logId(),
            replica.nanoTime(),
            replica.wallMs(),
            replica.wakeEngine());
    return new DirectoryHistory(
        directory,
        HolePolicy.REFUSE,
        new ReplayBudget(config.replayBytesMax()),
        source,
        files.generation());
  }

  /** The applying thread looks at its switch often, so nothing wakes it. */
  private FeedSource feedSource(ReplicaClock clock) {
    return new FeedSource(
        applier::lastSequence,
        applier::lastUntil,
        applier::logId,
        nanoTime,
        clock::wallMs,
        () -> {});
  }

  /**
   * An engine without threads. Its user calls {@link #reply} and makes requests through the
   * gateway, which does not block.
   *
   * @param ringBytes of the ring in which readers of the feed find effects; a power of two from 64
   *     KiB to 1 GiB
   */
  public static ReplicatedEngine driven(
      EmbeddedConfig config,
      LongSupplier wallMs,
      Duration patience,
      ReplicaEnvironment seams,
      int ringBytes) {
    return new ReplicatedEngine(
        config, SpaceGuard.ofNothing(), wallMs, patience, seams, ringBytes, source -> null, false);
  }

  /**
   * Completes the requests that are ready, and tells readers of the feed that wait; only for an
   * engine that is {@link #driven}.
   *
   * @return how many requests there were
   */
  public int reply() {
    feed.step();
    return callers.replyThread().reply();
  }

  /** The upper half of this engine's identities; random, not 0. */
  public long incarnation() {
    return incarnation;
  }

  /** Statistics, for metrics; also after its end. Empty until there is a state. */
  public Optional<EngineStats> stats() {
    return applier.stats();
  }

  /** The disk's space; only its thread-safe methods may be called. */
  public SpaceGuard space() {
    return admission.space();
  }

  /** Statistics of proposals; any thread. */
  public ProposalStats proposals() {
    ProposalGauge gauge = proposer.gauge();
    return new ProposalStats(
        callers.limits().requestsUnderWay(),
        gauge.unsent(),
        gauge.unanswered(),
        gauge.oldestNs(nanoTime.getAsLong()));
  }

  /** For the thread that proposes. */
  public Proposer proposer() {
    return proposer;
  }

  /** For the thread that applies. */
  public Applier applier() {
    return applier;
  }

  /**
   * Shows what this replica applies. While somebody reads, and for a minute after, that takes 64
   * MiB of direct memory.
   */
  public EffectFeed feed() {
    return feed;
  }

  /** Shows the state as of earlier points; empty if no history can be read here. */
  public Optional<Views> views() {
    return Optional.ofNullable(views);
  }

  /** The API, and the gateway for a server. */
  public ReplicatedEntroQ queue() {
    return queue;
  }

  /**
   * Raises the behavior level by a command, on all replicas and for good. The caller knows that all
   * of them support the new level: a replica that does not stops where it applies the command. May
   * block while there is no room for requests.
   *
   * @param to above the present level
   * @param present the level as far as is known
   * @return completes with the new level; exceptionally with {@link
   *     io.entroq.api.EntroQException.InvalidArgument} if it has been raised as far meanwhile
   * @throws io.entroq.api.EntroQException.InvalidArgument if this build does not support it
   */
  public CompletableFuture<Integer> raiseLevel(int to, int present) {
    return queue.raiseLevel(LevelRequest.to(to, present));
  }

  /** Stops the engine; the first cause counts. Any thread. */
  public void fail(Throwable cause) {
    state.fail(cause);
    callers.limits().open();
    callers.requests().wakeup().signal();
  }

  /** Stops taking requests. Any thread. */
  public void close() {
    state.close();
    callers.limits().open();
    callers.requests().wakeup().signal();
  }

  /** Whether it has failed; any thread. */
  public boolean hasFailed() {
    return state.failure() != null;
  }

  /** Whether it takes requests; any thread. */
  public boolean isOpen() {
    return state.isOpen();
  }

  /**
   * Ends requests without an answer, after both threads have stopped, and returns when all callers
   * know.
   */
  public void end() {
    proposer.end();
    applier.end();
    if (views != null) {
      views.close();
    }
    feed.close(state.failure());
    callers.replyThread().stop();
    ThroughInterrupts.await(callers.replyThread()::awaitEnd);
  }
}
