package io.entroq.engine.embedded;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.feed.DirectoryHistory;
import io.entroq.engine.feed.HistoryFailure;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedEnd.Reason;
import io.entroq.engine.gateway.FeedRange;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.gateway.View;
import io.entroq.engine.gateway.ViewException;
import io.entroq.engine.gateway.ViewStats;
import io.entroq.engine.gateway.Views;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Views of the directory of an engine, or of the mirror of a replica, that runs. Each has a thread
 * that restores its state, keeps it until nobody has used it for a while, and frees it.
 *
 * <p>One that nobody uses gives its place to one of another point, and its memory to whoever reads
 * history.
 */
public final class DirectoryViews implements Views, AutoCloseable {
  /** So many points may be shown at a time. */
  static final int VIEWS_MAX = 2;

  /** So many may wait until views are open: each takes a place of a call meanwhile. */
  static final int WAITING_MAX = 256;

  /** How long a view stays open for a next page of the same visit. */
  static final Duration IDLE = Duration.ofSeconds(60);

  private final DirectoryHistory history;
  private final EmbeddedConfig config;
  private final Duration idle;

  // Under the monitor, which the views share.

  private final Map<HistoryPoint, StateView> views = new HashMap<>();

  /** Those that have lost their place, or have not been closed yet. */
  private final List<StateView> ending = new ArrayList<>();

  private int waiting;
  private long opened;
  private long refused;
  private boolean isClosed;

  /**
   * @param history of the engine, open as long as this is
   * @param config of the engine
   */
  public DirectoryViews(DirectoryHistory history, EmbeddedConfig config) {
    this(history, config, IDLE);
  }

  /**
   * @param idle how long a view stays open that nobody uses
   */
  DirectoryViews(DirectoryHistory history, EmbeddedConfig config, Duration idle) {
    this.history = history;
    this.config = config;
    this.idle = idle;
    history.budget().reclaimFrom(this::closeUnused);
  }

  @Override
  public CompletableFuture<View> open(HistoryPoint point) {
    CompletableFuture<View> asked = new CompletableFuture<>();
    StateView view;
    View user;
    synchronized (this) {
      Optional<FeedEnd> refusal = refusal(point);
      if (refusal.isPresent()) {
        refused += refusal.get().reason() == Reason.EXHAUSTED ? 1 : 0;
        return CompletableFuture.failedFuture(new ViewException(refusal.get()));
      }
      view = views.containsKey(point) ? views.get(point) : begin(point);
      user = view.use(asked);
    }
    if (user != null) {
      asked.complete(user);
      return asked;
    }
    CompletableFuture<View> unused = asked.whenComplete((shown, failure) -> view.leave(asked));
    return asked;
  }

  /** Why a view cannot be used or begun now; empty if it can. */
  private Optional<FeedEnd> refusal(HistoryPoint point) {
    if (isClosed) {
      return Optional.of(new FeedEnd(Reason.CLOSED, "the engine is closed"));
    }
    if (waiting >= WAITING_MAX) {
      return Optional.of(
          new FeedEnd(
              Reason.EXHAUSTED,
              "limit views: %,d requests wait for states of the past. Try again later"
                  .formatted(WAITING_MAX)));
    }
    if (views.containsKey(point)) {
      return Optional.empty();
    }
    if (history.generation() == 0) {
      return Optional.of(HistoryFailure.away());
    }
    return views.size() < VIEWS_MAX || unused().isPresent()
        ? Optional.empty()
        : Optional.of(
            new FeedEnd(
                Reason.EXHAUSTED,
                ("limit views: requests as of %d other points are in progress, which is the limit."
                        + " Ask for one of these, or try again later")
                    .formatted(VIEWS_MAX)));
  }

  private StateView begin(HistoryPoint point) {
    List<StateView> before = new ArrayList<>(ending);
    if (views.size() >= VIEWS_MAX) {
      StateView unused = unused().orElseThrow();
      unused.end();
      before.add(unused);
    }
    opened++;
    StateView view = new StateView(this, point, opened, before);
    views.put(point, view);
    view.start();
    return view;
  }

  /** The one that has been unused for the longest time. */
  private Optional<StateView> unused() {
    return unused(view -> true);
  }

  private Optional<StateView> unused(Predicate<StateView> also) {
    return views.values().stream()
        .filter(view -> view.isUnused() && also.test(view))
        .min(Comparator.comparingLong(StateView::usedNs));
  }

  /** Frees the memory of a view that nobody uses; returns whether there was one. */
  private boolean closeUnused() {
    Optional<StateView> unused;
    synchronized (this) {
      unused = unused(StateView::isOpen);
      unused.ifPresent(StateView::end);
    }
    unused.ifPresent(StateView::awaitEnd);
    return unused.isPresent();
  }

  // For the views, which hold the monitor.

  /** A view gives up its place; later requests for its point get another view. */
  void remove(StateView view) {
    if (views.remove(view.point(), view)) {
      ending.add(view);
    }
  }

  /** A view has freed what it had. */
  void ended(StateView view) {
    ending.remove(view);
  }

  void countWaiting(int more) {
    waiting += more;
  }

  DirectoryHistory history() {
    return history;
  }

  EmbeddedConfig config() {
    return config;
  }

  /** How long a view stays open that nobody uses. */
  Duration idle() {
    return idle;
  }

  @Override
  public FeedRange kept() {
    HistoryPoint first = history.first();
    long last = history.source().visible().getAsLong();
    // There is nothing before the first step of all.
    return first.isStep()
        ? new FeedRange(Math.max(1, first.sequence()), last, first.timeMs())
        : new FeedRange(last + 1, last, 0);
  }

  @Override
  public synchronized ViewStats stats() {
    return new ViewStats(views.size(), opened, refused);
  }

  /** Ends all views; returns when nothing is read any more. */
  @Override
  public void close() {
    List<StateView> all;
    synchronized (this) {
      isClosed = true;
      all = new ArrayList<>(views.values());
      all.forEach(StateView::end);
      all.addAll(ending);
    }
    all.forEach(StateView::awaitEnd);
  }

  /** Waits for a thread of a view. */
  static void await(Thread thread) {
    ThroughInterrupts.await(thread::join);
  }
}
