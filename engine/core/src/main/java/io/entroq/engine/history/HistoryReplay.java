package io.entroq.engine.history;

import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryException.Reason;
import io.entroq.engine.history.Skips.Skip;
import io.entroq.engine.listing.StateEffects;
import io.entroq.engine.log.LogException;
import io.entroq.engine.recovery.SnapshotWarning;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.state.StateMachine;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * Replays a log from a point on, as far as it is told to and then further, and shows what each step
 * did. The frames have the same bytes as those that a live reader gets. If only some tasks matter,
 * it leaves out parts that have no effect on any of them, as filters of ids tell, and does not read
 * those parts, which may be damaged. Blocks the calling thread; not thread-safe.
 */
public final class HistoryReplay implements AutoCloseable {
  static final int FRAME_BYTES = 1 << 20;

  private final StateAt states;
  private final Collection<IdKey> ids;
  private final StepFrames frames;
  private final Consumer<StepFrame> consumer;

  /** What was shown last. */
  private HistoryPoint shown;

  private long sequence;
  private long logTimeMs;

  /** The step whose log time is known; -1: none. */
  private long expected = -1;

  private long expectedTimeMs;

  /** Null if it must be loaded. */
  private StateMachine machine;

  private Showing showing;

  /** Null before the first step. */
  private Skips skips;

  /**
   * @param ids of the tasks that matter; none: all
   * @param hasValues whether effects have the values of tasks and docs
   * @param after {@link HistoryDirectory#first} is the first possible
   * @param consumer gets the frame of each step that is replayed and has effects, on these or other
   *     tasks; valid during the call
   */
  public HistoryReplay(
      StateAt states,
      Collection<IdKey> ids,
      boolean hasValues,
      HistoryPoint after,
      Consumer<StepFrame> consumer) {
    this(states, ids, hasValues, FRAME_BYTES, after, consumer);
  }

  HistoryReplay(
      StateAt states,
      Collection<IdKey> ids,
      boolean hasValues,
      int frameBytes,
      HistoryPoint after,
      Consumer<StepFrame> consumer) {
    this.states = states;
    this.ids = ids;
    this.frames = new StepFrames(hasValues, frameBytes);
    this.shown = after;
    this.consumer = consumer;
  }

  /**
   * Before the first {@link #to}: the step after which it begins, or the next one, must have a log
   * time, or nothing is shown.
   */
  public void expect(long step, long timeMs) {
    expected = step;
    expectedTimeMs = timeMs;
  }

  /**
   * Shows the steps that a point includes and that were not shown before. Ends early if the
   * consumer throws; then it can only be closed.
   *
   * @throws HistoryException if a point is not kept, not reached, needs too much memory, the watch
   *     gave up, or a step does not have the time that it is {@linkplain #expect expected} to have
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged in between; what was
   *     before it has been shown
   * @throws io.entroq.engine.log.LogException if it cannot be read
   */
  public void to(HistoryPoint until) {
    if (skips == null) {
      skips = states.skips(ids);
    }
    HistoryPoint next;
    do {
      next = isExpectedSeen() ? skipAndFindNext(until) : expectedOr(until);
      replay(next);
    } while (!next.equals(until));
  }

  /** Before that, nothing is left out: it tells whether this is the right past. */
  private boolean isExpectedSeen() {
    return expected < 0 || (machine != null && machine.sequence() >= expected);
  }

  private HistoryPoint expectedOr(HistoryPoint until) {
    boolean isBefore = !skips.isEmpty() && until.isStep() && expected < until.sequence();
    return isBefore ? HistoryPoint.at(expected) : until;
  }

  private HistoryPoint skipAndFindNext(HistoryPoint until) {
    if (skips.isEmpty()) {
      return until;
    }
    skip(until);
    return skips.next(position(), until);
  }

  /** Goes on with a later snapshot, if there is no effect before it. */
  private void skip(HistoryPoint until) {
    Skip skip = skips.from(position(), machine != null, until);
    while (skip != null && !take(skip)) {
      skips.remove(skip);
      skip = skips.from(position(), false, until);
    }
  }

  /** False if the snapshot cannot be used; without it, more of the log is replayed. */
  private boolean take(Skip skip) {
    // Memory is allowed for one state.
    close();
    try {
      machine = states.load(skip.snapshot(), skip.manifest());
    } catch (SnapshotDamagedException e) {
      SnapshotWarning.log(e);
      return false;
    } catch (HistoryException e) {
      if (e.reason() == Reason.MEMORY) {
        return false;
      }
      throw e;
    } catch (LogException e) {
      // It cannot be read. Whoever needs it says so.
      return false;
    }
    machine.tellEffects(frames);
    showing = new Showing(true);
    pass(machine);
    return true;
  }

  /** All effects up to this step have been shown, do not matter, or need not be shown. */
  private long position() {
    long seen = machine == null ? states.base(shown) : machine.sequence();
    return shown.isStep() ? Math.max(seen, shown.sequence()) : seen;
  }

  private void pass(StateMachine of) {
    sequence = of.sequence();
    logTimeMs = of.logTimeMs();
    shown = HistoryPoint.at(sequence);
  }

  private void replay(HistoryPoint until) {
    boolean isReached = false;
    while (!isReached) {
      StateMachine from = machine;
      // A replay that fails closes it.
      machine = null;
      try {
        if (from == null) {
          showing = new Showing(false);
          machine = states.replay(shown, until, showing);
        } else {
          machine = states.replayOn(from, until, showing);
        }
        isReached = true;
      } catch (StepCutOffException e) {
        frames.enlarge();
      }
    }
    requireExpected(machine.sequence(), machine.logTimeMs());
    sequence = machine.sequence();
    logTimeMs = machine.logTimeMs();
  }

  private void requireExpected(long step, long timeMs) {
    if (step == expected && timeMs != expectedTimeMs) {
      throw new HistoryException(
          HistoryException.Reason.OTHER_PAST,
          step,
          HistoryException.ofLostPast(step, expectedTimeMs));
    }
  }

  /** Shows the state as effects that insert it, a frame each; only after {@link #to}. */
  public void showState() {
    StateEffects state = machine.stateEffects();
    while (state.next()) {
      state.tell(frames);
      while (frames.isCutOff()) {
        frames.enlarge();
        state.tell(frames);
      }
      consumer.accept(frames.frame());
    }
  }

  /** Whether a step after the point at which it began was replayed, or left out. */
  public boolean isBegun() {
    return showing != null && showing.isTold;
  }

  /** The last step replayed or left out; while {@link #to} runs, only if it {@link #isBegun}. */
  public long sequence() {
    return sequence;
  }

  /** The log time of that step, in milliseconds since the epoch. */
  public long logTimeMs() {
    return logTimeMs;
  }

  /** Frees the state. */
  @Override
  public void close() {
    if (machine != null) {
      machine.close();
      machine = null;
    }
  }

  private final class Showing implements StateAt.StepListener {
    private boolean isTold;

    /**
     * @param isTold whether the next step is to be shown, whichever it is
     */
    Showing(boolean isTold) {
      this.isTold = isTold;
    }

    @Override
    public void before(StateMachine of, long next, long nextTimeMs) {
      requireExpected(of.sequence(), of.logTimeMs());
      requireExpected(next, nextTimeMs);
      if (!isTold && !shown.includes(next, nextTimeMs)) {
        of.tellEffects(frames);
        isTold = true;
      }
    }

    @Override
    public void after(StateMachine of) {
      if (!isTold) {
        return;
      }
      if (!frames.isEmpty()) {
        if (frames.isCutOff()) {
          throw new StepCutOffException();
        }
        consumer.accept(frames.frame());
      }
      pass(of);
    }
  }

  /** A step did not fit into its frame. */
  private static final class StepCutOffException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StepCutOffException() {
      super("step cut off", null, false, false);
    }
  }
}
