package io.entroq.engine.feed;

import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedEnd.Reason;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.HistoryReplay;
import io.entroq.engine.history.ReplayBudget;
import io.entroq.engine.history.StateAt;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Replays the log for one reader, on a thread of its own, and puts what it shows into a buffer. */
final class FeedReplay implements Runnable {
  /** So many steps without effects are marked. */
  private static final int MARK_STEPS = 1 << 16;

  /** Each time it goes on, it reads a segment from its begin on: not more often than this. */
  private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final long PAUSE_MS = 10;

  private final DirectoryHistory history;
  private final FeedSource source;
  private final FeedRequest request;
  private final EffectFilter filter;
  private final ReplayBuffer buffer;
  private final ReplayReader reader;
  private final long openedNs;
  private final long generation;
  private HistoryReplay replay;

  /** The last step that was marked, and when. */
  private long marked;

  private long markedNs;

  FeedReplay(DirectoryHistory history, FeedRequest request) {
    this.history = history;
    this.source = history.source();
    this.request = request;
    filter = new EffectFilter(request);
    buffer = new ReplayBuffer(source.nanoTime());
    reader = new ReplayReader(buffer, filter, request);
    openedNs = nowNs();
    generation = history.generation();
    markedNs = openedNs;
  }

  FeedReader reader() {
    return reader;
  }

  @Override
  public void run() {
    FeedEnd why;
    try {
      why = replay();
    } catch (ReplacedException e) {
      why = HistoryFailure.replaced();
    } catch (NotTakenException e) {
      why = notTaken();
    } catch (RuntimeException | Error e) {
      why = HistoryFailure.isAbandoned(e) ? notTaken() : HistoryFailure.end(e, this::gone);
    }
    if (isReplaced() && why.reason() != Reason.CLOSED && why.reason() != Reason.COMPLETE) {
      // What else is wrong is of files that are gone.
      why = HistoryFailure.replaced();
    }
    // First, so that who is told may open the next one.
    history.ended(this);
    buffer.end(why);
  }

  private FeedEnd replay() {
    HistoryPoint after = after();
    if (request.start() instanceof Start.After && after.sequence() >= request.untilSequence()) {
      return complete();
    }
    try (HistoryDirectory directory = history.directory("feed");
        ReplayBudget.Share memory = history.budget().open()) {
      StateAt states = new StateAt(directory, memory, this::onProgress);
      HistoryReplay opened =
          new HistoryReplay(states, filter.tasks(), request.hasValues(), after, this::show);
      replay = opened;
      if (request.start() instanceof Start.After position && position.timeMs() != 0) {
        opened.expect(position.sequence(), position.timeMs());
      }
      try (opened) {
        if (request.start() instanceof Start.Snapshot) {
          showState(after);
        }
        return follow(directory);
      }
    }
  }

  private HistoryPoint after() {
    Start start = request.start();
    if (start instanceof Start.After after) {
      boolean isWhole = after.index() == Integer.MAX_VALUE || after.sequence() == 0;
      return HistoryPoint.at(isWhole ? after.sequence() : after.sequence() - 1);
    }
    if (start instanceof Start.Time time) {
      return HistoryPoint.atTime(Math.max(time.timeMs(), 0) - 1);
    }
    return HistoryPoint.at(visible());
  }

  private void showState(HistoryPoint point) {
    replay.to(point);
    replay.showState();
    put(ReplayBuffer.SNAPSHOT_END);
  }

  /** Shows what may be shown, again and again, until nobody wants more. */
  private FeedEnd follow(HistoryDirectory directory) {
    while (true) {
      long begunNs = nowNs();
      replay.to(HistoryPoint.at(bound()));
      directory.release(replay.sequence());
      if (isBeforeStart()) {
        if (begunNs - openedNs >= HubReader.FUTURE_NS) {
          return new FeedEnd(
              Reason.FUTURE,
              "the log has not reached the start: it is at step %d, at %s"
                  .formatted(replay.sequence(), Instant.ofEpochMilli(replay.logTimeMs())));
        }
      } else {
        put(ReplayBuffer.MARK);
        if (replay.sequence() >= request.untilSequence()) {
          return complete();
        }
      }
      awaitMore(begunNs);
    }
  }

  /** Whether the next step may still be one that is not asked for. */
  private boolean isBeforeStart() {
    if (request.start() instanceof Start.Time time) {
      return !replay.isBegun() && source.wallMs().getAsLong() < time.timeMs();
    }
    // A reader may begin after a step that may not be shown yet.
    return request.start() instanceof Start.After && replay.sequence() < after().sequence();
  }

  private void awaitMore(long begunNs) {
    while (true) {
      if (isReplaced()) {
        throw new ReplacedException();
      }
      long nowNs = nowNs();
      boolean isMore = bound() > replay.sequence() || isBeforeStart();
      if (isMore && nowNs - begunNs >= ROUND_NS) {
        return;
      }
      if (!buffer.isTaken()) {
        throw new NotTakenException();
      }
      if (buffer.isEmpty() && nowNs - markedNs >= HubReader.MARK_NS && !isBeforeStart()) {
        put(ReplayBuffer.MARK);
      }
      buffer.pause(PAUSE_MS);
    }
  }

  /** The last step that may be shown now. */
  private long bound() {
    return Math.min(visible(), request.untilSequence());
  }

  private long visible() {
    return source.visible().getAsLong();
  }

  private long nowNs() {
    return source.nanoTime().getAsLong();
  }

  private boolean onProgress(long sequence) {
    if (replay.isBegun() && replay.sequence() - marked >= MARK_STEPS) {
      put(ReplayBuffer.MARK);
    }
    return !buffer.isClosed();
  }

  private void show(StepFrame frame) {
    boolean matches = false;
    while (!matches && frame.next()) {
      matches = filter.matches(frame.effect());
    }
    if (matches && !buffer.putFrame(frame.buffer(), frame.offset(), frame.length())) {
      throw new NotTakenException();
    }
  }

  private void put(int kind) {
    if (!buffer.putPoint(kind, replay.sequence(), replay.logTimeMs())) {
      throw new NotTakenException();
    }
    marked = replay.sequence();
    markedNs = nowNs();
  }

  // Why it ends.

  private FeedEnd complete() {
    return new FeedEnd(Reason.COMPLETE, "all was shown, up to " + request.untilSequence());
  }

  private boolean isReplaced() {
    return history.generation() != generation;
  }

  private FeedEnd notTaken() {
    return buffer.isClosed()
        ? new FeedEnd(Reason.CLOSED, "the reader was closed")
        : new FeedEnd(
            Reason.SLOW,
            "nothing was taken for %d s while history was read"
                .formatted(TimeUnit.NANOSECONDS.toSeconds(ReplayBuffer.STALL_NS)));
  }

  private String gone(long first) {
    String start =
        request.start() instanceof Start.Time time
            ? "what happened at " + Instant.ofEpochMilli(time.timeMs())
            : "what follows " + after().sequence();
    return first == Long.MAX_VALUE
        ? start + " is no longer kept, and nothing else is"
        : "%s is no longer kept; the first step that is kept is %d".formatted(start, first + 1);
  }

  /** The files were replaced by others. */
  private static final class ReplacedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReplacedException() {
      super("replaced", null, false, false);
    }
  }

  /** The reader was closed, or takes nothing. */
  private static final class NotTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotTakenException() {
      super("not taken", null, false, false);
    }
  }
}
