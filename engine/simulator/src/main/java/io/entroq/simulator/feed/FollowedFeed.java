package io.entroq.simulator.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a reader was told, wherever and in however many pieces, and the state to which that leads.
 * Compares both with states and with the history. One thread.
 */
final class FollowedFeed {
  private static final int STEPS_COMPARED = 2_000;
  private static final int PAST_ONE_IN = 16;

  private final SeededRandom random;
  private final boolean hasValues;
  private final ShownState shown;
  private final FoldedState state = new FoldedState();
  private final ToldSteps told = new ToldSteps(ToldSteps.STEPS_KEPT, new Folding(state));
  private final PastStates past = new PastStates();

  private record Folding(FoldedState state) implements EffectConsumer {
    @Override
    public void onEffect(EffectReader effect) {
      state.add(effect);
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {}
  }

  FollowedFeed(SeededRandom random) {
    this.random = random;
    this.hasValues = random.oneIn(2);
    shown = new ShownState(hasValues);
  }

  /** What the reader was told. */
  ToldSteps told() {
    return told;
  }

  /** Goes on with a state as it is, as a reader does that begins with a snapshot. */
  void restart(StateMachine machine) {
    state.clear();
    foldState(machine, state);
    told.restart(machine.sequence());
  }

  private void foldState(StateMachine machine, FoldedState into) {
    shown.show(machine.stateEffects(), into::add);
  }

  /** Everything from a start on, for ever. */
  FeedRequest request(FeedRequest.Start start) {
    return new FeedRequest(
        start,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Set.of(),
        List.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        hasValues);
  }

  /** Hands on what follows a step, up to another, from a history. */
  void read(CopiedHistory history, long after, long until, EffectConsumer consumer) {
    history.read(after, until, hasValues, consumer);
  }

  /** Sometimes remembers how a state is, to find it again in the history. */
  void remember(StateMachine machine) {
    if (random.oneIn(PAST_ONE_IN)) {
      past.add(machine);
    }
  }

  /** Later steps were lost. */
  void forgetAfter(long step) {
    past.forgetAfter(step);
  }

  /** Compares a state with what effects led to, if all of its steps were told and no more. */
  void compareState(StateMachine machine) {
    if (told.position() != machine.sequence() || told.isWithinStep()) {
      return;
    }
    FoldedState actual = new FoldedState();
    foldState(machine, actual);
    actual
        .difference(state)
        .ifPresent(
            item -> {
              throw Invariant.FEED_IS_HISTORY.broken(
                  item, "what the state says @" + machine.sequence(), "what effects led to");
            });
  }

  /** Compares what was told, and earlier states, with a history. */
  void compareHistory(CopiedHistory history, long until) {
    comparePast(history, until);
    if (told.position() >= history.first() && told.position() <= until) {
      try (StateMachine then = history.at(told.position())) {
        compareState(then);
      }
    }
    compareReplay(history, Math.min(until, told.position()));
  }

  private void compareReplay(CopiedHistory history, long until) {
    long after = Math.max(Math.max(told.first() - 1, until - STEPS_COMPARED), history.first());
    if (after >= until) {
      return;
    }
    ToldSteps replayed = new ToldSteps(ToldSteps.STEPS_KEPT, new Folding(new FoldedState()));
    replayed.restart(after);
    replayed.bound(until);
    read(history, after, until, replayed);
    told.requireSame(Invariant.LIVE_EQUALS_REPLAY, replayed, after, until);
  }

  private void comparePast(CopiedHistory history, long until) {
    past.forgetBefore(history.first());
    OptionalLong step = past.pick(random, until);
    if (step.isPresent()) {
      try (StateMachine then = history.at(step.getAsLong())) {
        past.requireSame(step.getAsLong(), then.historyDigest(), then.contentDigest());
      }
    }
  }
}
