package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.local.Entrance;
import io.entroq.engine.local.ReplyWaitStrategy;
import io.entroq.engine.local.Submitter;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.DeliveryAcks;
import io.entroq.engine.request.EngineOwnership;
import io.entroq.engine.request.Lanes;
import io.entroq.engine.request.OpenGate;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.ReplyThread;
import io.entroq.engine.request.RequestLimits;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotPool;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.request.SlotSink;
import io.entroq.engine.runtime.AdaptiveYield;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.runtime.Housekeeper;
import io.entroq.engine.runtime.MemoryBound;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

/**
 * An engine core with threads around it: one that owns the state, at level {@code DISK} one that
 * forces, and one that completes futures. Puts them together and takes them apart.
 */
final class EmbeddedEngine {
  private final EngineStore store;
  private final EngineLifecycle state = new EngineLifecycle();
  private final AdaptiveYield turns = new AdaptiveYield();
  private final RequestLimits limits;
  private final ReplyThread replyThread;
  private final Completer completer;
  private final SlotQueue requests;
  private final EngineOwnership seat;
  private final EngineDutyCycle work;
  private final ReplyGate gate;
  private final Housekeeper housekeeper;
  private final Lanes lanes;
  private final MemoryBound memory;
  private final RequestExecutor executor;
  private final Submitter handOver;
  private final Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final List<Throwable> closeErrors = Collections.synchronizedList(new ArrayList<>());

  /**
   * @param store opened; from here on the engine's, which closes it
   * @param incarnation random, not 0: what tells this opening from every other
   */
  EmbeddedEngine(EngineStore store, EmbeddedConfig config, long incarnation) {
    this.store = store;
    // Each slot is in a queue once, and a claim once more when its caller gives up; if it had its
    // reply by then, another one may be on its way in its place.
    int lanesMax = config.requestsInFlightMax() + config.waitingClaimsMax();
    int slotsMax = 3 * lanesMax;
    limits =
        new RequestLimits(
            config.requestsInFlightMax(), config.waitingClaimsMax(), config.bytesInFlightMax());
    replyThread = new ReplyThread(slotsMax);
    requests = new SlotQueue(slotsMax, this::endUntaken);
    seat = new EngineOwnership(requests);
    completer = new Completer(limits, replyThread.replies(), seat);
    gate = gate(config, slotsMax);
    housekeeper = store.startUpkeep(config, requests.bell()::call);
    lanes = new Lanes(incarnation, lanesMax);
    memory = new MemoryBound(store.core().machine(), config.memoryBytesMax());
    DeliveryAcks arrived = DeliveryAcks.of(store.core().machine());
    executor =
        new RequestExecutor(
            store.core(),
            memory,
            new SlotSink(limits, arrived::answered),
            gate,
            completer,
            lanes,
            housekeeper,
            arrived);
    handOver =
        new Submitter(
            state,
            limits,
            new SlotPool(lanesMax),
            requests,
            seat,
            new ReplyWaitStrategy(gate, turns),
            config.roomTimeout(),
            config.commandBytesMax(),
            () -> !replyThread.isCurrent());
    work = new EngineDutyCycle(requests, executor, gate, state);
    EngineThread engine =
        new EngineThread(
            requests,
            seat,
            work,
            executor,
            gate,
            state,
            config.idleYield().toNanos(),
            turns,
            this::end);
    thread = new Thread(engine, "entroq-engine");
    thread.setDaemon(true);
    replyThread.start();
    thread.start();
  }

  Entrance entrance() {
    return new Entrance(
        handOver,
        lanes,
        store.core().clock(),
        state,
        this::lend,
        this::afterReplies,
        System::nanoTime);
  }

  Submitter handOver() {
    return handOver;
  }

  RequestExecutor executor() {
    return executor;
  }

  Lanes lanes() {
    return lanes;
  }

  /** See {@link ReplyThread#afterReplies}; also of a lent thread that tells of answers. */
  void afterReplies(Runnable work) {
    if (!seat.afterReplies(work)) {
      replyThread.afterReplies(work);
    }
  }

  /** Reads off the engine; any thread, also when it is closed. */
  EngineStats stats() {
    return store.core().figures(memory, housekeeper, gate.forces());
  }

  EngineLifecycle state() {
    return state;
  }

  EngineStore store() {
    return store;
  }

  /**
   * Lends the calling thread, until it ends, see {@link EngineOwnership}.
   *
   * @param later runs on that thread what it is given, soon
   */
  void lend(Executor later) {
    seat.lend(later, work::doAsGuest, replyThread.replies());
  }

  /** The engine's thread. */
  Thread thread() {
    return thread;
  }

  /** Whether the engine's thread has done all that was asked and sleeps. */
  boolean isAsleep() {
    return requests.isEmpty() && requests.bell().isArmed();
  }

  /**
   * Finishes what is under way, ends claims that wait, forces and closes the log. Any thread, any
   * number of times; every call returns when all of it is done.
   *
   * @throws IllegalStateException if something could not be closed, with every error attached
   */
  void close() {
    state.close();
    requests.bell().ring();
    awaitEnd();
    if (!closeErrors.isEmpty()) {
      IllegalStateException error =
          new IllegalStateException("the engine did not close cleanly: " + closeErrors.get(0));
      closeErrors.forEach(error::addSuppressed);
      throw error;
    }
  }

  private ReplyGate gate(EmbeddedConfig config, int slotsMax) {
    if (config.durability() != Durability.DISK) {
      return new OpenGate(completer);
    }
    return new ForceGate(
            store.core().log(),
            config.unforcedBytesMax(),
            slotsMax,
            completer,
            state,
            requests.bell(),
            config.idleYield().toNanos(),
            turns,
            store.faults())
        .start();
  }

  /** What becomes of requests that the engine's thread does not take any more. */
  private void endUntaken(RequestSlot slot) {
    // One that was taken before is here because its caller gives up, which is all over by now.
    if (!slot.isTaken) {
      slot.isTaken = true;
      completer.complete(slot, RequestOutcome.NOT_STARTED, state.failure());
    }
  }

  /** The last thing that the engine's thread does. */
  private void end() {
    attempt(limits::open);
    attempt(requests::end);
    attempt(() -> executor.endUnanswered(state.failure()));
    attempt(gate::stop);
    if (state.failure() == null) {
      attempt(executor::acknowledgeLanes);
    }
    attempt(() -> store.close(state.failure() == null));
    attempt(replyThread::stop);
    ended.countDown();
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) {
      closeErrors.add(t);
    }
  }

  private void awaitEnd() {
    ThroughInterrupts.await(
        () -> {
          ended.await();
          replyThread.awaitEnd();
        });
  }
}
