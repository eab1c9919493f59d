package io.entroq.simulator.feed;

import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The digests that the state had after some steps, when each was the last one. One thread. */
final class PastStates {
  private static final int KEPT = 64;

  private final TreeMap<Long, Digests> states = new TreeMap<>();

  private record Digests(long history, long content) {}

  void add(StateMachine machine) {
    add(machine.sequence(), machine.historyDigest(), machine.contentDigest());
  }

  void add(long step, long historyDigest, long contentDigest) {
    states.put(step, new Digests(historyDigest, contentDigest));
    if (states.size() > KEPT) {
      states.pollFirstEntry();
    }
  }

  /** Later steps were lost. */
  void forgetAfter(long step) {
    states.tailMap(step, false).clear();
  }

  /** Earlier steps are no longer kept. */
  void forgetBefore(long step) {
    states.headMap(step, false).clear();
  }

  /** One of the steps up to another; empty if there is none. */
  OptionalLong pick(SeededRandom random, long until) {
    Long[] steps = states.headMap(until, true).keySet().toArray(new Long[0]);
    return steps.length == 0
        ? OptionalLong.empty()
        : OptionalLong.of(steps[random.below(steps.length)]);
  }

  /** Fails unless the state after a step had these digests. */
  void requireSame(long step, long historyDigest, long contentDigest) {
    Digests now = new Digests(historyDigest, contentDigest);
    Invariant.AS_OF_EQUALS_THEN.require(
        states.get(step).equals(now), "@" + step, states.get(step), now);
  }
}
