package io.entroq.engine.replica;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.call.LevelRequest;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.local.CallerSide;
import io.entroq.engine.local.Entrance;
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
import java.util.function.LongSupplier;

/**
 * An engine whose commands somebody else puts in order, together with those of its replicas. Two
 * threads that are not its own drive it: one proposes what callers ask, see {@link Proposer}, and
 * one applies what comes out, see {@link Applier}. It has the callers' side, and a thread that
 * completes their futures.
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

  /**
   * One that writes to no disk.
   *
   * @param config its bounds are those of the callers' side; what it says of directory, disk and
   *     clock says nothing here
   * @param wallMs milliseconds since the epoch, by which callers' time-outs become deadlines
   * @param patience after how long a command that has not come out is proposed once more
   */
  public ReplicatedEngine(EmbeddedConfig config, LongSupplier wallMs, Duration patience) {
    this(config, SpaceGuard.ofNothing(), wallMs, patience, ReplicaEnvironment.ofThisMachine());
    callers.replyThread().start();
  }

  /**
   * One that refuses what its disk has no room for.
   *
   * @param config what it says of room on the disk counts too
   * @param directory where what comes out is written; exists
   */
  public ReplicatedEngine(
      EmbeddedConfig config, Path directory, LongSupplier wallMs, Duration patience) {
    this(
        config,
        config.spaceGuard(directory, System::nanoTime),
        wallMs,
        patience,
        ReplicaEnvironment.ofThisMachine());
    callers.replyThread().start();
  }

  private ReplicatedEngine(
      EmbeddedConfig config,
      SpaceGuard space,
      LongSupplier wallMs,
      Duration patience,
      ReplicaEnvironment seams) {
    nanoTime = seams.nanoTime();
    incarnation = seams.random().nextLong() | 1;
    callers = new CallerSide(config.callerBounds(), incarnation);
    state = callers.lifecycle();
    Completer completer = callers.completer();
    SlotQueue requests = callers.requests();
    ReplicaClock clock = new ReplicaClock(wallMs);
    ProposalExchange crossing = new ProposalExchange(callers.slotsMax());
    admission =
        new ProposalAdmission(space, nanoTime, completer, requests.bell(), callers.slotsMax());
    proposer =
        new Proposer(
            requests,
            crossing,
            admission,
            completer,
            callers.lanes(),
            state,
            clock,
            incarnation,
            patience.toNanos(),
            seams);
    applier =
        new Applier(
            crossing,
            admission,
            requests,
            callers.limits(),
            completer,
            callers.lanes(),
            state,
            clock,
            incarnation,
            config.memoryBytesMax(),
            seams.nanoTime());
    Entrance entrance =
        callers.entrance(
            new OpenGate(completer), new AdaptiveYield(), clock, later -> {}, seams.nanoTime());
    queue = new ReplicatedEntroQ(config, entrance, seams.random());
  }

  /**
   * One without threads: whoever drives it has {@link #reply} made, too, and asks through the
   * gateway, which waits for nothing.
   */
  public static ReplicatedEngine driven(
      EmbeddedConfig config, LongSupplier wallMs, Duration patience, ReplicaEnvironment seams) {
    return new ReplicatedEngine(config, SpaceGuard.ofNothing(), wallMs, patience, seams);
  }

  /**
   * Tells callers of the answers that are ready; only of one that is {@link #driven}.
   *
   * @return how many there were
   */
  public int reply() {
    return callers.replyThread().reply();
  }

  /** The upper half of the identities that it makes; random, not 0. */
  public long incarnation() {
    return incarnation;
  }

  /** In numbers, for metrics; also when it has ended. Empty until there is a state. */
  public Optional<EngineStats> stats() {
    return applier.stats();
  }

  /** The room on its disk; what is said to be for any thread may be asked. */
  public SpaceGuard space() {
    return admission.space();
  }

  /** What callers wait for, in numbers; any thread. */
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

  /** The API, and the way in for a server. */
  public ReplicatedEntroQ queue() {
    return queue;
  }

  /**
   * Raises the behaviour level by a command, of all replicas and for good. Who asks for it knows
   * that all of them support the new one: a replica that does not ends where it applies the
   * command. May block while there is no room for requests.
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

  /** It must not go on; the first reason counts. Any thread. */
  public void fail(Throwable cause) {
    state.fail(cause);
    callers.limits().open();
    callers.requests().bell().ring();
  }

  /** It takes no requests any more. Any thread. */
  public void close() {
    state.close();
    callers.limits().open();
    callers.requests().bell().ring();
  }

  /** Whether it must not go on; any thread. */
  public boolean hasFailed() {
    return state.failure() != null;
  }

  /** Whether it takes requests; any thread. */
  public boolean isOpen() {
    return state.isOpen();
  }

  /**
   * Ends what has no answer, once neither thread is at work any more, and does not return before
   * everybody knows.
   */
  public void end() {
    proposer.end();
    applier.end();
    callers.replyThread().stop();
    ThroughInterrupts.await(callers.replyThread()::awaitEnd);
  }
}
