package io.entroq.simulator.hunt;

import io.entroq.simulator.check.Violation;
import io.entroq.simulator.workload.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Makes the way to a violation short: leaves out halves, quarters and so on of the actions. */
final class Shrinker {
  /** Bounds the time that shrinking takes, in performed actions. */
  private static final long ACTIONS_MAX = 150_000;

  private final Function<List<Action>, Violation> attempt;
  private long performed;

  /**
   * Shrinks by trying.
   *
   * @param attempt performs actions in a new world and returns the violation, or null
   */
  Shrinker(Function<List<Action>, Violation> attempt) {
    this.attempt = attempt;
  }

  /** The fewest actions found that still break the rule. */
  List<Action> shrink(List<Action> actions, String rule) {
    List<Action> shortest = new ArrayList<>(actions);
    for (int length = shortest.size() / 2; length >= 1; length /= 2) {
      boolean isShorter = true;
      while (isShorter && performed < ACTIONS_MAX) {
        int before = shortest.size();
        shortest = withoutPieces(shortest, length, rule);
        isShorter = shortest.size() < before;
      }
    }
    return shortest;
  }

  /** Early pieces are tried first: they matter least often. */
  private List<Action> withoutPieces(List<Action> actions, int length, String rule) {
    List<Action> shortest = actions;
    int from = 0;
    while (from < shortest.size() && performed < ACTIONS_MAX) {
      List<Action> fewer = new ArrayList<>(shortest);
      fewer.subList(from, Math.min(from + length, fewer.size())).clear();
      if (breaks(fewer, rule)) {
        shortest = fewer;
      } else {
        from += length;
      }
    }
    return shortest;
  }

  private boolean breaks(List<Action> actions, String rule) {
    performed += actions.size() + 1;
    Violation violation = attempt.apply(actions);
    return violation != null && violation.rule().equals(rule);
  }
}
