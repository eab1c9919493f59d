package io.entroq.simulator.hunt;

import io.entroq.simulator.check.Violation;
import io.entroq.simulator.workload.Action;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A hunt has found something. The message says what, how to get there and how to replay it. */
public final class HuntFailure extends AssertionError {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_MAX = 40;

  private final String rule;

  HuntFailure(long seed, Feeding feeding, int step, List<Action> shortest, Violation violation) {
    super(message(seed, feeding, step, shortest, violation), violation);
    this.rule = violation.rule();
  }

  /** The rule that was broken. */
  public String rule() {
    return rule;
  }

  private static String message(
      long seed, Feeding feeding, int step, List<Action> shortest, Violation violation) {
    return String.format(
        Locale.ROOT,
        "seed %d, %s, step %d, shrunk to %d%n%s%n%s%nreplay: -Dtest.seed=%d",
        seed,
        feeding,
        step,
        shortest.size(),
        violation.getMessage(),
        way(shortest, violation.subject()),
        seed);
  }

  /** All of a short way; of a long one what touches the subject, and the end. */
  private static String way(List<Action> actions, String subject) {
    int plain = Math.max(0, actions.size() - SHOWN_MAX);
    List<String> earlier =
        actions.subList(0, plain).stream()
            .map(Action::toString)
            .filter(text -> subject.length() > 1 && text.contains(subject))
            .toList();
    String skipped =
        earlier.stream()
            .skip(Math.max(0, earlier.size() - SHOWN_MAX))
            .map(text -> "  … " + text + "\n")
            .collect(Collectors.joining());
    return actions.subList(plain, actions.size()).stream()
        .map(action -> "  " + action)
        .collect(Collectors.joining("\n", skipped, ""));
  }
}
