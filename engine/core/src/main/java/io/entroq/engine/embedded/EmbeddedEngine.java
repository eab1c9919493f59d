package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.feed.DirectoryHistory;
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.feed.FeedSource;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.local.CallerSide;
import io.entroq.engine.local.Entrance;
import io.entroq.engine.request.DeliveryAcks;
import io.entroq.engine.request.OpenGate;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestIntake;
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
 * Assembles an engine core with its threads, and closes them: one owns the state, one forces the
 * log (at durability {@code DISK}), and one completes futures.
 */
final class EmbeddedEngine {
  private final EngineStore store;
  private final CallerSide callers;
  private final EngineLifecycle state;
  private final AdaptiveYield yields = new AdaptiveYield();
  private final SlotQueue requests;
  private final EngineDutyCycle work;
  private final ReplyGate gate;
  private final Housekeeper housekeeper;
  private final MemoryBound memory;
  private final RequestExecutor executor;
  private final Entrance entrance;
  private final FeedHub feed;

  /** Null if there is no history. */
  private final DirectoryViews views;

  private final Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final List<Throwable> closeErrors = Collections.synchronizedList(new ArrayList<>());

  /**
   * @param store open; the engine closes it
   * @param incarnation random and not 0; identifies this opening
   */
  EmbeddedEngine(EngineStore store, EmbeddedConfig config, long incarnation) {
    this.store = store;
    callers = new CallerSide(config.callerBounds(), incarnation);
    state = callers.lifecycle();
    requests = callers.requests();
    gate = gate(config);
    housekeeper = store.startUpkeep(config, requests.wakeup()::call);
    memory = new MemoryBound(store.core().machine(), config.memoryBytesMax());
    DeliveryAcks arrived = DeliveryAcks.of(store.core().machine(), System::nanoTime);
    executor =
        new RequestExecutor(
            store.core(),
            memory,
            new SlotSink(callers.limits(), arrived::answered),
            gate,
            callers.completer(),
            housekeeper,
            arrived);
    RequestIntake intake =
        new RequestIntake(requests, callers.completer(), callers.lanes(), executor);
    work = new EngineDutyCycle(requests, intake, executor, gate, state);
    entrance =
        callers.entrance(
            gate,
            yields,
            store.core().clock(),
            store.core()::logId,
            store.core()::level,
            this::lend,
            System::nanoTime);
    FeedSource source =
        store.feedSource(config.durability(), System::nanoTime, requests.wakeup()::call);
    DirectoryHistory history = store.history(config, source);
    feed = new FeedHub(store.core().feedSwitch(), source, store.feedRingBytes(), true, history);
    views = history == null ? null : new DirectoryViews(history, config);
    EngineThread engine =
        new EngineThread(
            requests,
            callers.ownership(),
            work,
            executor,
            gate,
            state,
            config.idleYield().toNanos(),
            yields,
            this::end);
    thread = new Thread(engine, config.asOf().isPresent() ? "entroq-view" : "entroq-engine");
    thread.setDaemon(true);
    callers.replyThread().start();
    thread.start();
  }

  FeedHub feed() {
    return feed;
  }

  /** Null if there is no history. */
  DirectoryViews views() {
    return views;
  }

  Entrance entrance() {
    return entrance;
  }

  RequestExecutor executor() {
    return executor;
  }

  /** Statistics. Any thread, also after close. */
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
   * Lends the calling thread until it ends, see {@link EngineOwnership}.
   *
   * @param later runs tasks on that thread, soon
   */
  void lend(Executor later) {
    callers.ownership().lend(later, work::doOnBorrowedThread, callers.replyThread().replies());
  }

  Thread thread() {
    return thread;
  }

  /** Whether the engine's thread has executed all requests and sleeps. */
  boolean isAsleep() {
    return requests.isEmpty() && requests.wakeup().isArmed();
  }

  /**
   * Finishes requests in flight, ends waiting claims, forces and closes the log. Any thread, any
   * number of times; every call returns when that is done.
   *
   * @throws EntroQException.Storage if something could not be closed, with every error attached
   */
  void close() {
    state.close();
    requests.wakeup().signal();
    awaitEnd();
    if (!closeErrors.isEmpty()) {
      Throwable first = closeErrors.get(0);
      EntroQException error =
          new EntroQException.Storage("the engine did not close cleanly: " + first, first);
      closeErrors.stream().skip(1).forEach(error::addSuppressed);
      throw error;
    }
  }

  private ReplyGate gate(EmbeddedConfig config) {
    if (config.durability() != Durability.DISK) {
      return new OpenGate(callers.completer());
    }
    return new ForceGate(
            store.core().log(),
            config.unforcedBytesMax(),
            callers.slotsMax(),
            callers.completer(),
            state,
            requests.wakeup(),
            config.idleYield().toNanos(),
            yields,
            store.faults())
        .start();
  }

  /** Runs last on the engine's thread. */
  private void end() {
    attempt(callers.limits()::open);
    attempt(requests::end);
    attempt(() -> executor.endUnanswered(state.failure()));
    attempt(gate::stop);
    if (state.failure() == null) {
      attempt(executor::acknowledgeLanes);
    }
    // After the last command, and before the state is gone.
    if (views != null) {
      attempt(views::close);
    }
    attempt(() -> feed.close(state.failure()));
    attempt(() -> store.close(state.failure() == null));
    attempt(callers.replyThread()::stop);
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
          callers.replyThread().awaitEnd();
        });
  }
}
