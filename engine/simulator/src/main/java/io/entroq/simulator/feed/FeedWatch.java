package io.entroq.simulator.feed;

import io.entroq.api.Durability;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.history.HistoryException;
import io.entroq.engine.log.LogException;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A reader of the feed of a machine's engines, over all their lives: it reads live, and what it has
 * missed from the history. Checks that the effects lead to the state, that a replay tells the same
 * as the live feed, that nothing is shown too early, and that the past stays as it was. One thread.
 */
public final class FeedWatch {
  private static final int RING_BYTES_LEAST = 1 << 16;
  private static final int RING_SIZES = 5;
  private static final int POLL_BYTES = 1 << 16;

  /** Reading the history takes as long as thousands of steps. */
  private static final int HISTORY_ONE_IN = 3;

  private final SimulatedDisk disk;
  private final String directory;
  private final Durability durability;
  private final SeededRandom random;
  private final BooleanSupplier isDamaged;
  private final FollowedFeed followed;
  private final ToldSteps told;

  /** Null while there is none. */
  private FeedReader reader;

  /** The reader tells what comes after this step. */
  private long begin;

  /** The last position of which steps were lost; null if there is none, or it was tried. */
  private FeedRequest.Start.After lost;

  /**
   * @param isDamaged whether files of the directory may be damaged, so that its history may be
   *     unreadable
   */
  public FeedWatch(
      SimulatedDisk disk,
      String directory,
      Durability durability,
      SeededRandom random,
      BooleanSupplier isDamaged) {
    this.disk = disk;
    this.directory = directory;
    this.durability = durability;
    this.random = random;
    this.isDamaged = isDamaged;
    followed = new FollowedFeed(random);
    told = followed.told();
  }

  /** The size of the next engine's ring, often so small that the reader is overtaken. */
  public int ringBytes() {
    return RING_BYTES_LEAST << random.below(RING_SIZES);
  }

  /** An engine is open. */
  public void onOpened(DrivenEngine engine) {
    long found = engine.found().sequence();
    followed.forgetAfter(found);
    if (told.position() > found) {
      lost = told.resume(null);
    }
    if (told.position() > found || told.position() == 0) {
      followed.restart(engine.machine());
    }
  }

  /** The engine runs: reads what there is. */
  public void onBeat(DrivenEngine engine) {
    if (reader == null) {
      begin = engine.sequence();
      reader =
          engine
              .feed()
              .open(followed.request(new FeedRequest.Start.After(begin, Integer.MAX_VALUE, null)));
    }
    told.bound(visible(engine));
    if (told.position() < begin && (visible(engine) < begin || !hasCaughtUp(engine))) {
      return;
    }
    while (reader.poll(told, POLL_BYTES) > 0) {
      // All of it.
    }
    reader.ended().ifPresent(this::onReaderEnd);
    followed.remember(engine.machine());
    if (lost != null && lost.timeMs() != 0 && told.position() > Math.max(lost.sequence(), begin)) {
      resumeLost(engine);
      lost = null;
    }
  }

  /** The log has come as far again: the position is refused unless nothing tells it apart. */
  private void resumeLost(DrivenEngine engine) {
    Optional<FeedEnd> end;
    try (FeedReader late = engine.feed().open(FeedRequest.all(lost))) {
      late.poll(ToldSteps.NOBODY, POLL_BYTES);
      end = late.ended();
    }
    if (end.isEmpty()) {
      boolean isWhole = lost.index() == Integer.MAX_VALUE;
      Invariant.FEED_IS_HISTORY.require(
          (isWhole && !told.hasTold(lost.sequence())) || hasTime(lost.sequence(), lost.timeMs()),
          "a reader that resumes after " + lost,
          "refused: its steps were lost",
          "it goes on");
    } else {
      FeedEnd.Reason reason = end.get().reason();
      Invariant.FEED_IS_HISTORY.require(
          reason == FeedEnd.Reason.OTHER_LOG || reason == FeedEnd.Reason.OUT_OF_RANGE,
          "a reader that resumes after " + lost,
          "its steps were lost, or are no longer kept",
          end.get());
    }
  }

  /** Whether a step has this log time, or cannot be read. */
  private boolean hasTime(long sequence, long timeMs) {
    try (CopiedHistory history = history();
        StateMachine then = history.at(sequence)) {
      return then.logTimeMs() == timeMs;
    } catch (LogException e) {
      requireExcuse(e);
      return true;
    }
  }

  private long visible(DrivenEngine engine) {
    return durability == Durability.DISK ? engine.forcedSequence() : engine.sequence();
  }

  /**
   * Reads from the history what comes before the live reader's begin. If that cannot be read, it
   * begins anew, without a live reader.
   */
  private boolean hasCaughtUp(DrivenEngine engine) {
    try (CopiedHistory history = history()) {
      followed.read(history, told.position(), begin, told);
      return true;
    } catch (LogException e) {
      requireExcuse(e);
      closeReader();
      followed.restart(engine.machine());
      return false;
    }
  }

  private CopiedHistory history() {
    return new CopiedHistory(disk, directory, durability);
  }

  private void requireExcuse(RuntimeException e) {
    Invariant.FEED_IS_HISTORY.require(
        isGone(e) || isDamaged.getAsBoolean(),
        directory,
        "a history that can be read",
        e.toString());
  }

  /** Whether it says that the history begins later than the reader, and that is so. */
  private boolean isGone(RuntimeException e) {
    if (!(e instanceof HistoryException gone) || gone.reason() != HistoryException.Reason.GONE) {
      return false;
    }
    try (CopiedHistory history = history()) {
      return told.position() < history.first();
    }
  }

  private void onReaderEnd(FeedEnd why) {
    Invariant.FEED_IS_HISTORY.require(
        why.reason() == FeedEnd.Reason.OUT_OF_RANGE || why.reason() == FeedEnd.Reason.FUTURE,
        "a reader",
        "no end, or one because it was overtaken",
        why);
    closeReader();
  }

  private void closeReader() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }

  /** The engine ends. */
  public void onEnd() {
    closeReader();
  }

  /** Compares what was told with the state, and sometimes with the history. */
  public void count(DrivenEngine engine) {
    onBeat(engine);
    followed.compareState(engine.machine());
    if (random.oneIn(HISTORY_ONE_IN)) {
      compareHistory();
    }
  }

  private void compareHistory() {
    try (CopiedHistory history = history()) {
      followed.compareHistory(history, told.position());
    } catch (LogException e) {
      requireExcuse(e);
    }
  }
}
