package io.entroq.simulator.host;

import io.entroq.api.EntroQException;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.maintenance.SteppedMaintenance;
import io.entroq.engine.result.TasksPage;
import io.entroq.engine.time.LogClock;
import io.entroq.simulator.call.PagedRead;
import io.entroq.simulator.call.PendingRequest;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Status;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.feed.FeedWatch;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.agrona.DirectBuffer;

/**
 * One life of the engine's process: executes requests one after the other, polls the engine at its
 * deadlines, forces, and holds replies back until they may leave. One thread.
 */
final class EngineProcess {
  private static final Reply EXHAUSTED = new Reply(Status.EXHAUSTED, null);
  private static final Reply UNAVAILABLE = new Reply(Status.UNAVAILABLE, null);
  private static final long MICROSECOND = 1_000;
  private static final long MILLISECOND = 1_000_000;
  private static final int BACKLOG_MAX = 4_096;
  private static final long SERVICE_NS_LEAST = 5 * MICROSECOND;
  private static final long SERVICE_NS_MOST = 60 * MICROSECOND;
  private static final long SLICE_NS_LEAST = 100 * MICROSECOND;
  private static final long SLICE_NS_MOST = 20 * MILLISECOND;
  private static final int SLOW_READER_ONE_IN = 3;
  private static final long SLOW_SLICE_NS_MOST = 400 * MILLISECOND;
  private static final int SLICE_EFFORT_LEAST = 300;
  private static final int SLICE_EFFORT_MOST = 3_000;
  private static final long BEAT_NS_LEAST = 100 * MILLISECOND;
  private static final long BEAT_NS_MOST = 2_000 * MILLISECOND;

  private final EventQueue events;
  private final SeededRandom random;
  private final LogClock clock;
  private final SteppedMaintenance maintenance;
  private final ForceTiming forces;
  private final EngineObserver observer;
  private final EngineWatch watch;
  private final FeedWatch feed;
  private final BiConsumer<EngineProcess, Throwable> onEnd;

  /** Requests that arrived while the engine was busy, in their order. */
  private final ArrayDeque<PendingRequest> backlog = new ArrayDeque<>();

  private final ParkedClaims parked = new ParkedClaims();
  private final HeldReplies held = new HeldReplies();
  private final List<Reading> readings = new ArrayList<>();
  private final EventQueue.Event drain = guarded(this::drain);
  private final EventQueue.Event tick = guarded(this::tick);
  private final EventQueue.Event force = guarded(this::force);
  private final EventQueue.Event beat = guarded(this::beat);

  private DrivenEngine engine;
  private long busyUntilNs;
  private boolean isDrainArmed;
  private boolean isForcing;

  /** The deadline of the next tick, and the time of its event. */
  private long tickMs = Long.MAX_VALUE;

  private long tickNs = Long.MAX_VALUE;

  /** A read of docs that is under way. */
  private record Reading(PendingRequest pending, PagedRead read, int effort, long pauseNsMost) {}

  /**
   * @param onEnd learns that the engine has thrown something, which ends its process
   */
  EngineProcess(
      EventQueue events,
      SeededRandom random,
      LogClock clock,
      SteppedMaintenance maintenance,
      ForceTiming forces,
      EngineObserver observer,
      EngineWatch watch,
      FeedWatch feed,
      BiConsumer<EngineProcess, Throwable> onEnd) {
    this.events = events;
    this.random = random;
    this.clock = clock;
    this.maintenance = maintenance;
    this.forces = forces;
    this.observer = observer;
    this.watch = watch;
    this.feed = feed;
    this.onEnd = onEnd;
  }

  /** Receives the answers to waiting claims. */
  DrivenEngine.WaitingListener answers() {
    return this::onAnswer;
  }

  /** The engine is open. */
  void start(DrivenEngine opened) {
    engine = opened;
    busyUntilNs = events.nowNs();
    afterCall();
    events.in(beatNs(), beat);
  }

  /** Null before the engine is open and after its end. */
  DrivenEngine engine() {
    return engine;
  }

  /** Whether all requests have their replies, except for waiting claims. */
  boolean isAtRest() {
    return backlog.isEmpty() && held.isEmpty() && readings.isEmpty();
  }

  // Requests.

  private EventQueue.Event guarded(EventQueue.Event event) {
    return () -> {
      if (engine != null) {
        attempt(event);
      }
    };
  }

  private void attempt(EventQueue.Event event) {
    try {
      event.happen();
    } catch (RuntimeException | Error e) {
      onEnd.accept(this, e);
    }
  }

  /** A request has arrived. */
  void take(PendingRequest pending) {
    if (backlog.isEmpty() && !isHeldUp()) {
      attempt(() -> serve(pending));
    } else if (backlog.size() >= BACKLOG_MAX) {
      pending.reply(EXHAUSTED);
    } else {
      backlog.add(pending);
      armDrain();
    }
  }

  private boolean isHeldUp() {
    return events.nowNs() < busyUntilNs || isForceAwaited();
  }

  private boolean isForceAwaited() {
    return forces.isTooMuch(engine.sequence() - engine.forcedSequence());
  }

  private void armDrain() {
    // If too many records are unforced, the end of the force continues.
    if (!isDrainArmed && !backlog.isEmpty() && !isForceAwaited()) {
      isDrainArmed = true;
      events.at(busyUntilNs, drain);
    }
  }

  private void drain() {
    isDrainArmed = false;
    if (!backlog.isEmpty() && !isHeldUp()) {
      serve(backlog.poll());
    }
    armDrain();
  }

  private void serve(PendingRequest pending) {
    busyUntilNs = events.nowNs() + random.between(SERVICE_NS_LEAST, SERVICE_NS_MOST);
    Request request = pending.request();
    if (request.type() == Request.LIST_TASKS) {
      list(pending);
    } else if (request.isRead()) {
      read(pending);
    } else {
      execute(pending);
    }
  }

  /** Lists tasks by their ids; one page holds them all. */
  private void list(PendingRequest pending) {
    DirectBuffer query = pending.request().command();
    TasksPage page = new TasksPage(query, 0, query.capacity());
    page.fill(engine.machine(), engine.nowMs(), Integer.MAX_VALUE);
    answer(engine.sequence(), pending, Reply.of(page.buffer(), 0, page.length()));
    afterCall();
  }

  /** Half of the listings of docs are sliced between commands; other reads run at once. */
  private void read(PendingRequest pending) {
    Request request = pending.request();
    boolean isSliced = request.type() == Request.LIST_DOCS && random.oneIn(2);
    int effort =
        isSliced ? (int) random.between(SLICE_EFFORT_LEAST, SLICE_EFFORT_MOST) : Integer.MAX_VALUE;
    PagedRead read = new PagedRead(request, observer.onRead(request));
    // A client that reads page by page may be slow.
    long pauseNsMost = random.oneIn(SLOW_READER_ONE_IN) ? SLOW_SLICE_NS_MOST : SLICE_NS_MOST;
    Reading reading = new Reading(pending, read, effort, pauseNsMost);
    readings.add(reading);
    continueRead(reading);
  }

  private void continueRead(Reading reading) {
    boolean isOver;
    do {
      isOver = reading.read.slice(engine.machine(), engine.nowMs(), reading.effort);
    } while (!isOver && reading.effort == Integer.MAX_VALUE);
    if (isOver) {
      readings.remove(reading);
      answer(engine.sequence(), reading.pending, reading.read.reply());
      afterCall();
    } else {
      events.in(
          random.between(SLICE_NS_LEAST, reading.pauseNsMost),
          guarded(() -> continueRead(reading)));
    }
  }

  private void execute(PendingRequest pending) {
    Request request = pending.request();
    DirectBuffer command = request.command();
    try {
      int code = engine.executeEncoded(request.type(), command, 0, command.capacity());
      boolean hasAnswer = code != DrivenEngine.WAITS && request.type() != RecordType.ACKNOWLEDGE;
      observer.onExecuted(engine, request, hasAnswer);
      if (hasAnswer) {
        answer(engine.sequence(), pending, Reply.of(engine.result()));
      } else if (engine.waitingSequence() != 0) {
        parked.add(engine.waitingSequence(), pending);
      }
    } catch (EntroQException.ResourceExhausted e) {
      observer.endStep();
      watch.onRefused(engine, request);
      answer(engine.sequence(), pending, EXHAUSTED);
    }
    afterCall();
  }

  /** A waiting claim has its answer, during a call to the engine. */
  private void onAnswer(long claimSequence, ResultDecoder result) {
    observer.onResult(claimSequence, result);
    long seen = result.sequence();
    Reply reply = Reply.of(result);
    parked.answer(claimSequence, pending -> answer(seen, pending, reply));
  }

  /**
   * @param seen the newest record that the reply may show
   */
  private void answer(long seen, PendingRequest pending, Reply reply) {
    if (forces.isAwaited()) {
      held.add(seen, pending, reply);
    } else {
      observer.onReply(seen);
      pending.reply(reply);
    }
  }

  private void release() {
    long forced = engine.forcedSequence();
    observer.onForced(forced);
    held.release(forced, observer);
  }

  private void afterCall() {
    armTick();
    armForce();
  }

  // Time.

  private void armTick() {
    long deadlineMs = engine.nextDeadlineMs();
    if (deadlineMs < tickMs) {
      tickMs = deadlineMs;
      tickNs = events.nowNs() + clock.nanosUntil(deadlineMs);
      events.at(tickNs, tick);
    }
  }

  private void tick() {
    if (events.nowNs() < tickNs) {
      // An earlier deadline has replaced this one.
      return;
    }
    if (events.nowNs() < busyUntilNs) {
      tickNs = busyUntilNs;
      events.at(tickNs, tick);
      return;
    }
    tickMs = Long.MAX_VALUE;
    tickNs = Long.MAX_VALUE;
    poll();
  }

  private void poll() {
    engine.poll();
    observer.onIdle(engine);
    afterCall();
  }

  private void beat() {
    if (events.nowNs() >= busyUntilNs) {
      runMaintenance();
      release();
      poll();
      watch.check(engine);
      feed.onBeat(engine);
    }
    events.in(beatNs(), beat);
  }

  private void runMaintenance() {
    boolean hasSnapshot = maintenance.hasSnapshot();
    maintenance.step();
    if (hasSnapshot) {
      watch.onMaintenance(engine);
    }
  }

  private long beatNs() {
    return random.between(BEAT_NS_LEAST, BEAT_NS_MOST);
  }

  /** Pauses for a while. */
  void stall(long forNs) {
    busyUntilNs = Math.max(busyUntilNs, events.nowNs() + forNs);
  }

  // Forces.

  private void armForce() {
    if (!isForcing && forces.isAwaited() && engine.sequence() > engine.forcedSequence()) {
      isForcing = true;
      events.in(forces.nextNs(), force);
    }
  }

  private void force() {
    isForcing = false;
    engine.force();
    release();
    armForce();
    armDrain();
  }

  // The end.

  /** The process is killed: it sends and writes nothing more. */
  void die() {
    feed.onEnd();
    DrivenEngine dead = engine;
    engine = null;
    if (dead != null) {
      dead.abandon();
    }
  }

  /**
   * The engine has stopped by itself. Pending requests get an unknown outcome.
   *
   * @param judge of what closing throws: the disk may fail again, or the process die
   */
  void stop(FailureJudge judge) {
    feed.onEnd();
    DrivenEngine stopped = engine;
    engine = null;
    try {
      if (stopped != null) {
        stopped.close();
      }
    } catch (RuntimeException | Error e) {
      judge.onClosing(e);
    }
    held.endAll(UNAVAILABLE);
    endWaiting();
  }

  void close() {
    DrivenEngine closing = engine;
    long last = closing.sequence();
    feed.onEnd();
    engine = null;
    closing.close();
    observer.onForced(last);
    held.release(last, observer);
    endWaiting();
  }

  private void endWaiting() {
    parked.endAll(UNAVAILABLE);
    readings.forEach(reading -> reading.pending.reply(UNAVAILABLE));
    readings.clear();
    backlog.forEach(pending -> pending.reply(UNAVAILABLE));
    backlog.clear();
  }
}
