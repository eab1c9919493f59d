package io.entroq.engine.embedded;

import io.entroq.engine.Closing;
import io.entroq.engine.feed.FeedSource;
import io.entroq.engine.feed.HistoryFailure;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedEnd.Reason;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.gateway.View;
import io.entroq.engine.gateway.ViewException;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.ReplayBudget;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.state.StateMachine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state as of a point, from its restoration until it is freed. Its own thread does both. Its
 * fields are under the monitor of the {@link DirectoryViews}.
 */
final class StateView implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(StateView.class);

  /** What was asked for may be a step that is only just being forced, or applied here. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long LOOK_MS = 10;

  private final DirectoryViews all;
  private final HistoryPoint point;
  private final Thread thread;
  private final FeedSource source;
  private final long generation;

  /** These free what they have first, so that there are never more states than places. */
  private final List<StateView> before;

  private final Set<CompletableFuture<View>> waiting = new HashSet<>();
  private int users;
  private long usedNs;
  private boolean isEnding;

  /** Null while it is being opened. */
  private EmbeddedEntroQ queue;

  private long sequence;
  private long timeMs;

  StateView(DirectoryViews all, HistoryPoint point, long number, List<StateView> before) {
    this.all = all;
    this.point = point;
    this.before = before;
    source = all.history().source();
    generation = all.history().generation();
    thread = new Thread(this, "entroq-view-" + number);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  HistoryPoint point() {
    return point;
  }

  // Under the monitor of all.

  /**
   * Adds a user.
   *
   * @return null if it is not open yet: the future is completed when it is
   */
  View use(CompletableFuture<View> asked) {
    if (queue == null) {
      waiting.add(asked);
      all.countWaiting(1);
      return null;
    }
    return new User();
  }

  /** Whether another view may have its place. */
  boolean isUnused() {
    return users == 0 && waiting.isEmpty();
  }

  boolean isOpen() {
    return queue != null;
  }

  /** When somebody last used it, in nanoseconds. */
  long usedNs() {
    return usedNs;
  }

  /** Ends it soon, also if it is being opened. */
  void end() {
    isEnding = true;
    all.remove(this);
    all.notifyAll();
  }

  // Without the monitor.

  /** Somebody waits no more, because it is open, or for other reasons. */
  @SuppressWarnings("CollectionUndefinedEquality") // By identity, which is meant.
  void leave(CompletableFuture<View> asked) {
    synchronized (all) {
      if (waiting.remove(asked)) {
        all.countWaiting(-1);
        all.notifyAll();
      }
    }
  }

  /** Returns when it has freed what it had. */
  void awaitEnd() {
    DirectoryViews.await(thread);
  }

  @Override
  public void run() {
    before.forEach(StateView::awaitEnd);
    before.clear();
    try (ReplayBudget.Share memory = all.history().budget().open()) {
      EmbeddedEntroQ opened = open(memory);
      if (opened != null) {
        try (opened) {
          keep();
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.error("A view of the past has failed.", e);
    } finally {
      synchronized (all) {
        all.remove(this);
        all.ended(this);
      }
    }
  }

  /** Opens it for those who wait; null if that fails, or nobody does. */
  private EmbeddedEntroQ open(ReplayBudget.Share memory) {
    EmbeddedEntroQ opened = null;
    while (opened == null) {
      try {
        opened = restore(memory);
      } catch (RuntimeException | Error e) {
        if (!HistoryFailure.isAbandoned(e)) {
          fail(failure(e));
          return null;
        }
      }
      if (opened == null && isGivenUp()) {
        return null;
      }
    }
    List<CompletableFuture<View>> asked;
    List<View> added = new ArrayList<>();
    synchronized (all) {
      queue = opened;
      usedNs = nowNs();
      asked = waitingNoMore();
      asked.forEach(future -> added.add(new User()));
    }
    for (int i = 0; i < added.size(); i++) {
      if (!asked.get(i).complete(added.get(i))) {
        added.get(i).close();
      }
    }
    return opened;
  }

  /** Restores the state; null if nobody waits any more. */
  private EmbeddedEntroQ restore(ReplayBudget.Share memory) {
    HistoryPoint bounded = bounded();
    if (bounded == null) {
      return null;
    }
    StateMachine machine;
    try (HistoryDirectory directory = all.history().directory("view")) {
      machine = new StateAt(directory, memory, step -> isWanted()).open(bounded);
    }
    sequence = machine.sequence();
    timeMs = point.isStep() ? machine.logTimeMs() : point.timeMs();
    EmbeddedConfig config = all.config().ofView(point);
    EngineStore store =
        EngineStore.asOf(config, point, machine, "the queue", EngineEnvironment.ofThisMachine());
    try {
      return new EmbeddedEntroQ(config, store);
    } catch (Throwable t) {
      Closing.after(t, () -> store.close(true));
      throw t;
    }
  }

  /**
   * The point, but nothing that may not be shown. Waits a moment for what is about to be.
   *
   * @return null if nobody waits any more
   * @throws ViewException if the log does not reach the point
   */
  private HistoryPoint bounded() {
    long beganNs = nowNs();
    while (true) {
      long last = last();
      if (source.visible().getAsLong() >= last) {
        return new HistoryPoint(last, point.timeMs());
      }
      if (!isWanted()) {
        return null;
      }
      if (nowNs() - beganNs >= PATIENCE_NS || isAhead()) {
        throw new ViewException(
            new FeedEnd(
                Reason.FUTURE,
                "the log has not reached %s: its last step is %d"
                    .formatted(named(), source.visible().getAsLong())));
      }
      synchronized (all) {
        pause(LOOK_MS);
      }
    }
  }

  /** The last step that may belong to the point; {@link Long#MAX_VALUE} while more may come. */
  private long last() {
    if (point.isStep()) {
      return point.sequence();
    }
    long last = source.lastUntil().applyAsLong(point.timeMs());
    if (last == Long.MAX_VALUE) {
      source.wakeEngine().run();
    }
    return last;
  }

  /** Whether it is of a time that no clock has reached, so that waiting is of no use. */
  private boolean isAhead() {
    return !point.isStep()
        && point.timeMs() - source.wallMs().getAsLong()
            > TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS);
  }

  private boolean isWanted() {
    synchronized (all) {
      return !waiting.isEmpty() && !isEnding;
    }
  }

  private boolean isReplaced() {
    return all.history().generation() != generation;
  }

  private FeedEnd failure(Throwable e) {
    if (isReplaced()) {
      // What else is wrong is of files that are gone.
      return HistoryFailure.replaced();
    }
    if (e instanceof ViewException known) {
      return known.why();
    }
    return HistoryFailure.end(e, this::gone);
  }

  private String gone(long first) {
    return first == Long.MAX_VALUE
        ? "%s is no longer kept, and nothing else is".formatted(named())
        : "%s is no longer kept; the first that is kept is record %d".formatted(named(), first);
  }

  /** The point without separators, so that it can be asked for again. */
  private String named() {
    return point.isStep()
        ? "record " + point.sequence()
        : Instant.ofEpochMilli(point.timeMs()).toString();
  }

  /** Ends it if nobody waits any more, or only those who are told that the engine ends. */
  private boolean isGivenUp() {
    List<CompletableFuture<View>> asked;
    synchronized (all) {
      if (isWanted()) {
        // Somebody has come since it was abandoned.
        return false;
      }
      asked = take();
    }
    refuse(asked, new FeedEnd(Reason.CLOSED, "the engine is closed"));
    return true;
  }

  private void fail(FeedEnd why) {
    List<CompletableFuture<View>> asked;
    synchronized (all) {
      asked = take();
    }
    refuse(asked, why);
  }

  private static void refuse(List<CompletableFuture<View>> asked, FeedEnd why) {
    asked.forEach(future -> future.completeExceptionally(new ViewException(why)));
  }

  /** Those who have waited, who do so no more. From here on others begin anew. */
  private List<CompletableFuture<View>> take() {
    all.remove(this);
    return waitingNoMore();
  }

  private List<CompletableFuture<View>> waitingNoMore() {
    List<CompletableFuture<View>> asked = new ArrayList<>(waiting);
    all.countWaiting(-asked.size());
    waiting.clear();
    return asked;
  }

  /** Returns when it is to be freed. */
  private void keep() {
    synchronized (all) {
      long idleNs = all.idle().toNanos();
      long leftNs = idleNs;
      while (!isEnding && (users > 0 || leftNs > 0)) {
        pause(users > 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
        leftNs = idleNs - (nowNs() - usedNs);
      }
      isEnding = true;
      all.remove(this);
    }
  }

  /** Lets time pass, or less if something has changed; 0 ms: until then. */
  private void pause(long ms) {
    try {
      all.wait(ms);
    } catch (InterruptedException e) {
      // Nobody does that but to end the thread.
      isEnding = true;
    }
  }

  private long nowNs() {
    return source.nanoTime().getAsLong();
  }

  /** One of those who use it. */
  private final class User implements View {
    private final Gateway gateway = queue.gateway();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    User() {
      users++;
    }

    @Override
    public long sequence() {
      return sequence;
    }

    @Override
    public long timeMs() {
      return timeMs;
    }

    @Override
    public Gateway gateway() {
      return gateway;
    }

    @Override
    public void close() {
      if (isClosed.compareAndSet(false, true)) {
        synchronized (all) {
          users--;
          usedNs = nowNs();
          if (users == 0) {
            all.notifyAll();
          }
        }
      }
    }
  }
}
