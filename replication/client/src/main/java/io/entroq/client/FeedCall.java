package io.entroq.client;

import io.entroq.api.EntroQException;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.client.translation.FailureMapping;
import io.entroq.client.translation.WireFeed;
import io.entroq.client.transport.FailedException;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Tail;
import io.entroq.client.transport.TailReceiver;
import io.entroq.codec.wire.edge.TailResponse;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * A feed from whichever server is in use. When its connection is lost or the client moves to
 * another server, it goes on behind the last effect that has arrived, however long that takes.
 *
 * <p>What has arrived is polled before a failure is seen. So a feed that nobody polls does not
 * connect again.
 */
final class FeedCall implements FeedCursor, Dispatcher.OpenRequest {
  /** How many responses may be in flight or wait here. */
  static final int AHEAD_MAX = 4;

  private final Dispatcher dispatcher;
  private final FeedQuery query;

  /** Before that, nothing is sent. */
  private volatile CompletableFuture<?> serverKnown = CompletableFuture.completedFuture(null);

  // All guarded by this.

  /** Null between two connections, and at the end. */
  private Connection connection;

  /** Whose effects are polled. */
  private TailResponse response = TailResponse.getDefaultInstance();

  /** How many of them have been. */
  private int polled;

  private Optional<FeedPosition> position = Optional.empty();

  /** Names the log in positions. */
  private String log = "";

  /** Whether the effects are the state with which the feed begins. */
  private boolean isSnapshot;

  /** Whether some of that state was polled. */
  private boolean hasBegunSnapshot;

  /** Whether a server has ever sent something. */
  private boolean hasAnswered;

  /** Failures in a row. */
  private int failures;

  /** Why the first of several servers does not go on there; null after an answer. */
  private Failure refusal;

  /** How many servers in a row have not gone on since then. */
  private int refusals;

  /** Whether one of them runs and cannot read its history at present. */
  private boolean isHistoryAway;

  private EntroQException problem;

  /** Why it has failed; null if it has not. */
  private EntroQException failure;

  private boolean isEnded;

  /** Null if nobody waits. */
  private Runnable waiting;

  FeedCall(Dispatcher dispatcher, FeedQuery query) {
    this.dispatcher = dispatcher;
    this.query = query;
    isSnapshot = query.start() instanceof FeedQuery.Start.Snapshot;
    if (query.start() instanceof FeedQuery.Start.After after) {
      position = Optional.of(after.position());
      log = after.position().log();
    }
  }

  /**
   * Begins as soon as a server is known.
   *
   * @param known fails if there is none
   */
  @SuppressWarnings("FutureReturnValueIgnored") // The feed tells what comes of it.
  FeedCall start(CompletableFuture<?> known) {
    serverKnown = known;
    dispatcher.add(this);
    known.whenComplete(
        (server, failure) -> {
          if (failure == null) {
            connect();
          } else {
            refuse(failure);
          }
        });
    return this;
  }

  private void refuse(Throwable reason) {
    synchronized (this) {
      if (!isOver()) {
        fail(
            reason instanceof EntroQException known
                ? known
                : new EntroQException.Unavailable(
                    "the server cannot be reached: " + reason, reason));
      }
    }
    wake();
  }

  private void connect() {
    synchronized (this) {
      if (!isOver() && connection == null) {
        begin();
      }
    }
    wake();
  }

  /** Begins, or goes on, with a new connection. */
  private void begin() {
    Connection begun = new Connection();
    connection = begun;
    try {
      begun.tail = dispatcher.transport().tail(WireFeed.request(query, position), refusals, begun);
      begun.tail.request(AHEAD_MAX);
    } catch (FailedException e) {
      begun.failure = e.failure();
    }
  }

  private boolean isOver() {
    return isEnded || failure != null;
  }

  @Override
  public Optional<Effect> poll() {
    boolean isDue;
    do {
      synchronized (this) {
        if (failure != null) {
          throw failure;
        }
        if (isEnded) {
          return Optional.empty();
        }
        if (polled < response.getEffectsCount()) {
          return Optional.of(nextEffect());
        }
        isDue = connection != null && connection.isAvailable();
        if (isDue && !connection.arrived.isEmpty()) {
          show(connection.arrived.remove());
        } else if (isDue) {
          onEnd();
        }
      }
    } while (isDue);
    return Optional.empty();
  }

  private Effect nextEffect() {
    io.entroq.codec.wire.edge.Effect next = response.getEffects(polled);
    polled++;
    if (isSnapshot) {
      hasBegunSnapshot = true;
    } else {
      position = Optional.of(WireFeed.position(next, log));
    }
    Effect effect = WireFeed.effect(next, isSnapshot ? Optional.empty() : position);
    if (polled == response.getEffectsCount()) {
      finish();
    }
    return effect;
  }

  private void show(TailResponse next) {
    response = next;
    polled = 0;
    hasAnswered = true;
    failures = 0;
    endRound();
    problem = null;
    if (!next.getLogId().isEmpty()) {
      log = WireFeed.log(next);
    }
    if (next.getEffectsCount() == 0) {
      finish();
    }
  }

  /** All of a response was polled. */
  private void finish() {
    if (response.getSnapshotComplete()) {
      isSnapshot = false;
    }
    if (!isSnapshot) {
      position = WireFeed.position(response).or(() -> position);
    }
    if (connection != null && !connection.isOver()) {
      connection.tail.request(1);
    }
  }

  /** The connection has ended, and everything that came over it was polled. */
  private void onEnd() {
    Connection ended = connection;
    connection = null;
    if (ended.failure == null) {
      isEnded = true;
      dispatcher.remove(this);
      return;
    }
    Failure why = ended.failure;
    boolean isAway = FailureMapping.isHistoryAway(why) && !isWithinSnapshot();
    if (refusal == null && (why.code() == Status.Code.OUT_OF_RANGE || isAway)) {
      refusal = why;
    }
    isHistoryAway |= isAway;
    if (refusal != null && (why.code() == Status.Code.OUT_OF_RANGE || why.isTransient())) {
      askTheNext();
    } else if (mayResume(why, ended.hasAnswered)) {
      pause(why);
    } else {
      fail(exception(why));
    }
  }

  /**
   * Another server may keep what one does not. Those that are away are not waited for, unless they
   * run and say that they will keep it again.
   */
  private void askTheNext() {
    refusals++;
    if (refusals < dispatcher.transport().servers()) {
      begin();
    } else if (isHistoryAway) {
      Failure why = refusal;
      endRound();
      pause(why);
    } else {
      fail(exception(refusal));
    }
  }

  private void endRound() {
    refusal = null;
    refusals = 0;
    isHistoryAway = false;
  }

  private boolean isWithinSnapshot() {
    return hasBegunSnapshot && isSnapshot;
  }

  /**
   * @param wasAnswered whether the server has sent something over this connection
   */
  private boolean mayResume(Failure why, boolean wasAnswered) {
    if (isWithinSnapshot()) {
      return false;
    }
    return switch (why.code()) {
      // The token may have expired; the next one may be another.
      case UNAUTHENTICATED -> wasAnswered;
      // Not for a response that is longer than this client accepts.
      case RESOURCE_EXHAUSTED -> hasAnswered && !why.isOutcomeUnknown();
      case UNKNOWN -> hasAnswered;
      default -> why.isTransient();
    };
  }

  private void pause(Failure why) {
    failures++;
    problem = FailureMapping.ofRead(why.with(dispatcher.transport().endpointText()));
    dispatcher.schedule(dispatcher.backoffMs(failures), this::connect);
  }

  private EntroQException exception(Failure why) {
    if (why.isUnimplemented()) {
      return new EntroQException.InvalidArgument(
          "the server has no feed: it is an older or a different server");
    }
    if (isWithinSnapshot() && why.isTransient()) {
      return new EntroQException.Unavailable(
          "the state was interrupted before it was complete, so begin anew: " + why);
    }
    return FailureMapping.ofRead(why);
  }

  private void fail(EntroQException why) {
    failure = why;
    dispatcher.remove(this);
  }

  @Override
  public synchronized boolean await(Runnable onAvailable) {
    boolean isAvailable =
        isOver()
            || polled < response.getEffectsCount()
            || (connection != null && connection.isAvailable());
    waiting = isAvailable ? null : onAvailable;
    return !isAvailable;
  }

  /** Never under the monitor, as it calls others. */
  private void wake() {
    Runnable told;
    synchronized (this) {
      told = waiting;
      waiting = null;
    }
    if (told != null) {
      told.run();
    }
  }

  @Override
  public synchronized boolean isEnded() {
    return isEnded;
  }

  @Override
  public synchronized Optional<FeedPosition> position() {
    return position;
  }

  @Override
  public synchronized Optional<EntroQException> problem() {
    return Optional.ofNullable(problem);
  }

  /** What has arrived from the previous server is still polled. */
  @Override
  public void failOver() {
    Tail left;
    synchronized (this) {
      left = connection == null || connection.isOver() ? null : connection.tail;
    }
    if (left != null) {
      left.cancel();
    }
  }

  @Override
  public void close(EntroQException.Closed reason) {
    end(reason);
  }

  @Override
  public void close() {
    end(null);
  }

  /**
   * @param reason null if the caller has ended it
   */
  private void end(EntroQException.Closed reason) {
    Tail left;
    synchronized (this) {
      if (isOver()) {
        return;
      }
      failure = reason;
      isEnded = reason == null;
      left = connection == null ? null : connection.tail;
      connection = null;
    }
    serverKnown.cancel(false);
    dispatcher.remove(this);
    if (left != null) {
      left.cancel();
    }
    wake();
  }

  /** What comes from one server. All but its calls is guarded by the feed. */
  private final class Connection implements TailReceiver {
    private final Queue<TailResponse> arrived = new ArrayDeque<>(AHEAD_MAX);

    /** Null before it has begun. */
    private Tail tail;

    private boolean hasAnswered;
    private boolean isComplete;

    /** Null if it has not failed. */
    private Failure failure;

    boolean isOver() {
      return isComplete || failure != null;
    }

    boolean isAvailable() {
      return !arrived.isEmpty() || isOver();
    }

    @Override
    public void onResponse(TailResponse next) {
      dispatcher.noteResponse();
      synchronized (FeedCall.this) {
        hasAnswered = true;
        arrived.add(next);
      }
      wake();
    }

    @Override
    public void onEnd() {
      synchronized (FeedCall.this) {
        isComplete = true;
      }
      wake();
    }

    @Override
    public void onFailure(Failure why) {
      synchronized (FeedCall.this) {
        failure = why;
      }
      wake();
    }
  }
}
