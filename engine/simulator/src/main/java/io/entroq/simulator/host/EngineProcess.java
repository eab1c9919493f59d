package io.entroq.simulator.host;

import io.entroq.api.EntroQException;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.maintenance.SteppedMaintenance;
import io.entroq.engine.result.TasksPage;
import io.entroq.engine.time.LogClock;
import io.entroq.simulator.call.PagedRead;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Ending;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One life of the engine's process, from an opening to its end: executes requests one after the
 * other, lets due things happen in time, forces, and keeps replies until they may leave. One
 * thread.
 */
final class EngineProcess {
  private static final Reply EXHAUSTED = new Reply(Ending.EXHAUSTED, null);
  private static final Reply UNAVAILABLE = new Reply(Ending.UNAVAILABLE, null);
  private static final long MICROSECOND = 1_000;
  private static final long MILLISECOND = 1_000_000;
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
  private final SteppedMaintenance upkeep;
  private final ForceTiming forces;
  private final EngineObserver observer;
  private final EngineWatch care;
  private final EndListener listener;

  private final Backlog backlog = new Backlog();
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

  /** The deadline that the next tick is for, and when that comes. */
  private long tickMs = Long.MAX_VALUE;

  private long tickNs = Long.MAX_VALUE;

  /** Hears that the engine has thrown something, which is the end of its process. */
  @FunctionalInterface
  interface EndListener {
    void onEnd(EngineProcess process, Throwable cause);
  }

  /** A read of docs that is under way. */
  private record Reading(
      Request request, ReplyEnd end, PagedRead read, int effort, long pauseNsMost) {}

  EngineProcess(
      EventQueue events,
      SeededRandom random,
      LogClock clock,
      SteppedMaintenance upkeep,
      ForceTiming forces,
      EngineObserver observer,
      EngineWatch care,
      EndListener listener) {
    this.events = events;
    this.random = random;
    this.clock = clock;
    this.upkeep = upkeep;
    this.forces = forces;
    this.observer = observer;
    this.care = care;
    this.listener = listener;
  }

  /** Where answers to claims that have waited go. */
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

  /** The engine; null before it is open and after its end. */
  DrivenEngine engine() {
    return engine;
  }

  /** Whether all that was taken in has its reply, but for claims that wait. */
  boolean isAtRest() {
    return backlog.isEmpty() && held.isEmpty() && readings.isEmpty();
  }

  // What happens.

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
      listener.onEnd(this, e);
    }
  }

  /** A request has arrived. */
  void take(Request request, ReplyEnd end) {
    if (backlog.isEmpty() && !isHeldUp()) {
      try {
        serve(request, end);
      } catch (RuntimeException | Error e) {
        listener.onEnd(this, e);
      }
    } else if (backlog.isFull()) {
      end.reply(request, EXHAUSTED);
    } else {
      backlog.add(request, end);
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
    // With too much unforced the end of the force goes on from here.
    if (!isDrainArmed && !backlog.isEmpty() && !isForceAwaited()) {
      isDrainArmed = true;
      events.at(busyUntilNs, drain);
    }
  }

  private void drain() {
    isDrainArmed = false;
    if (!backlog.isEmpty() && !isHeldUp()) {
      ReplyEnd end = backlog.end();
      serve(backlog.take(), end);
    }
    armDrain();
  }

  private void serve(Request request, ReplyEnd end) {
    busyUntilNs = events.nowNs() + random.between(SERVICE_NS_LEAST, SERVICE_NS_MOST);
    if (request.type() == Request.LIST_TASKS) {
      list(request, end);
    } else if (request.isRead()) {
      read(request, end);
    } else {
      execute(request, end);
    }
  }

  /** Lists tasks by their ids, of which there are no more than a page holds. */
  private void list(Request request, ReplyEnd end) {
    DirectBuffer query = request.command();
    TasksPage page = new TasksPage(query, 0, query.capacity());
    page.fill(engine.machine(), engine.nowMs(), Integer.MAX_VALUE);
    answer(engine.sequence(), request, end, reply(page.buffer(), 0, page.length()));
    afterCall();
  }

  /** Docs are listed while commands are executed; namespaces, and some of the docs, at once. */
  private void read(Request request, ReplyEnd end) {
    boolean isSliced = request.type() == Request.LIST_DOCS && random.oneIn(2);
    int effort =
        isSliced ? (int) random.between(SLICE_EFFORT_LEAST, SLICE_EFFORT_MOST) : Integer.MAX_VALUE;
    PagedRead read = new PagedRead(request, observer.onRead(request));
    // Whoever takes one page after the other may take his time.
    long pauseNsMost = random.oneIn(SLOW_READER_ONE_IN) ? SLOW_SLICE_NS_MOST : SLICE_NS_MOST;
    Reading reading = new Reading(request, end, read, effort, pauseNsMost);
    readings.add(reading);
    goOn(reading);
  }

  private void goOn(Reading reading) {
    boolean isOver;
    do {
      isOver = reading.read.slice(engine.machine(), engine.nowMs(), reading.effort);
    } while (!isOver && reading.effort == Integer.MAX_VALUE);
    if (isOver) {
      readings.remove(reading);
      answer(engine.sequence(), reading.request, reading.end, reading.read.reply());
      afterCall();
    } else {
      events.in(random.between(SLICE_NS_LEAST, reading.pauseNsMost), guarded(() -> goOn(reading)));
    }
  }

  private void execute(Request request, ReplyEnd end) {
    DirectBuffer command = request.command();
    try {
      int code = engine.executeEncoded(request.type(), command, 0, command.capacity());
      boolean hasAnswer = code != DrivenEngine.WAITS && request.type() != RecordType.ACKNOWLEDGE;
      observer.onExecuted(engine, request, hasAnswer);
      if (hasAnswer) {
        answer(engine.sequence(), request, end, reply(engine.result()));
      } else if (engine.waitingSequence() != 0) {
        parked.add(engine.waitingSequence(), request, end);
      }
    } catch (EntroQException.ResourceExhausted e) {
      observer.endStep();
      care.onRefused(engine, request);
      answer(engine.sequence(), request, end, EXHAUSTED);
    }
    afterCall();
  }

  /** A claim that waited has its answer, in the middle of a call. */
  private void onAnswer(long claimSequence, ResultDecoder result) {
    observer.onResult(claimSequence, result);
    long seen = result.sequence();
    Reply reply = reply(result);
    parked.answer(claimSequence, (request, end) -> answer(seen, request, end, reply));
  }

  private static Reply reply(ResultDecoder result) {
    return reply(result.buffer(), result.encodedOffset(), result.encodedLength());
  }

  private static Reply reply(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return new Reply(Ending.RESULT, new UnsafeBuffer(bytes));
  }

  /**
   * @param seen the newest record that the reply may tell of
   */
  private void answer(long seen, Request request, ReplyEnd end, Reply reply) {
    if (forces.isAwaited()) {
      held.add(seen, request, end, reply);
    } else {
      observer.onReply(seen);
      end.reply(request, reply);
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
      // Of a deadline that another one came before.
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
      keepUp();
      release();
      poll();
      care.look(engine);
    }
    events.in(beatNs(), beat);
  }

  private void keepUp() {
    boolean hasSnapshot = upkeep.hasSnapshot();
    upkeep.step();
    if (hasSnapshot) {
      care.onUpkeep(engine);
    }
  }

  private long beatNs() {
    return random.between(BEAT_NS_LEAST, BEAT_NS_MOST);
  }

  /** It does nothing for a while. */
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

  /** The process is killed: nothing leaves any more, and nothing more is written. */
  void die() {
    DrivenEngine dead = engine;
    engine = null;
    if (dead != null) {
      dead.abandon();
    }
  }

  /**
   * The engine has stopped by itself; who waits hears that nobody knows what became of it.
   *
   * @param judge on what it throws at that: the disk may fail it once more, or its process die
   */
  void stop(FailureJudge judge) {
    DrivenEngine stopped = engine;
    engine = null;
    try {
      if (stopped != null) {
        stopped.close();
      }
    } catch (RuntimeException | Error e) {
      judge.onLastWords(e);
    }
    held.endAll(UNAVAILABLE);
    endWaiting();
  }

  /** The engine is closed in order. */
  void close() {
    DrivenEngine closing = engine;
    long last = closing.sequence();
    engine = null;
    closing.close();
    observer.onForced(last);
    held.release(last, observer);
    endWaiting();
  }

  private void endWaiting() {
    parked.endAll(UNAVAILABLE);
    readings.forEach(reading -> reading.end.reply(reading.request, UNAVAILABLE));
    readings.clear();
    while (!backlog.isEmpty()) {
      ReplyEnd end = backlog.end();
      end.reply(backlog.take(), UNAVAILABLE);
    }
  }

  /** Requests that have arrived while the engine was busy, in their order; bounded. One thread. */
  private static final class Backlog {
    private static final int REQUESTS_MAX = 4_096;

    private final ArrayDeque<Request> requests = new ArrayDeque<>();
    private final ArrayDeque<ReplyEnd> ends = new ArrayDeque<>();

    boolean isEmpty() {
      return requests.isEmpty();
    }

    boolean isFull() {
      return requests.size() >= REQUESTS_MAX;
    }

    void add(Request request, ReplyEnd replies) {
      requests.add(request);
      ends.add(replies);
    }

    /** Where replies to the oldest request go; before {@link #take}. */
    ReplyEnd end() {
      return ends.poll();
    }

    /** The oldest request. */
    Request take() {
      return requests.poll();
    }
  }
}
