package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Result;
import io.entroq.simulator.check.Violation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the engine said in one step: answers by the sequence of the request (in the order in which
 * they were given), claims that it parked, retries that it attached to a parked claim.
 *
 * <p>The model takes out what it expects; what is left over should not have been said.
 */
public final class StepAnswers {
  /** The sequence under which the answer of a command that is not logged is given. */
  public static final long NOT_LOGGED = 0;

  private record Placed(int place, Result result) {}

  private final Map<Long, Placed> answers = new LinkedHashMap<>();
  private final Map<Long, Long> attached = new HashMap<>();
  private final Map<Long, Boolean> parked = new HashMap<>();
  private int lastOrderedPlace = -1;

  /** Notes the answer of a request. */
  public void answered(long requestSequence, Result result) {
    boolean isFirst = !answers.containsKey(requestSequence);
    Violation.check(isFirst, "one answer per request", "@" + requestSequence, 1, 2);
    answers.put(requestSequence, new Placed(answers.size(), result));
  }

  /** Notes that a claim waits. */
  public void parked(long requestSequence) {
    boolean isFirst = parked.put(requestSequence, true) == null;
    Violation.check(isFirst, "parked once", "@" + requestSequence, 1, 2);
  }

  /** Notes that a retry waits for the answer of a parked claim. */
  public void attached(long requestSequence, long parkedSequence) {
    boolean isFirst = attached.put(requestSequence, parkedSequence) == null;
    Violation.check(isFirst, "attached once", "@" + requestSequence, 1, 2);
  }

  /** Everything that was answered, in order, for checks that plant errors. */
  public Map<Long, Result> answers() {
    Map<Long, Result> results = new LinkedHashMap<>();
    answers.forEach((sequence, placed) -> results.put(sequence, placed.result()));
    return results;
  }

  /** The claims that were parked. */
  public Iterable<Long> parkedSequences() {
    return parked.keySet();
  }

  /** The retries that were attached, with what they were attached to. */
  public Map<Long, Long> attachedSequences() {
    return attached;
  }

  Result take(long requestSequence, String rule) {
    Placed placed = answers.remove(requestSequence);
    Violation.check(placed != null, rule, "@" + requestSequence, "an answer", this);
    return placed.result();
  }

  /** Takes an answer that must not come before those taken by this method earlier. */
  Result takeInOrder(long requestSequence, String rule) {
    Placed placed = answers.get(requestSequence);
    Result result = take(requestSequence, rule);
    Violation.check(
        placed.place() > lastOrderedPlace,
        rule + " in order",
        "@" + requestSequence,
        "place after " + lastOrderedPlace,
        "place " + placed.place());
    lastOrderedPlace = placed.place();
    return result;
  }

  void takeParked(long requestSequence) {
    Violation.check(
        parked.remove(requestSequence) != null,
        "a waiting claim that finds nothing parks",
        "@" + requestSequence,
        "parked",
        this);
  }

  void takeAttached(long requestSequence, long parkedSequence) {
    Violation.checkEqual(
        "the retry of a parked claim attaches to it",
        "@" + requestSequence,
        parkedSequence,
        String.valueOf(attached.remove(requestSequence)).equals(String.valueOf(parkedSequence))
            ? parkedSequence
            : this);
  }

  void checkNothingLeft() {
    boolean nothing = answers.isEmpty() && parked.isEmpty() && attached.isEmpty();
    Violation.check(nothing, "nothing else is answered", "@", "no more", this);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "answers %s, parked %s, attached %s", answers(), parked.keySet(), attached);
  }
}
