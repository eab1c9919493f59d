package io.entroq.system.scenario;

import io.entroq.system.history.History;
import io.entroq.system.history.Violation;
import io.entroq.system.history.ViolationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result of a trial. */
record TrialReport(History history, List<Violation> violations) {
  private static final int SHOWN = 20;

  TrialReport {
    violations = List.copyOf(violations);
  }

  boolean isGood() {
    return violations.isEmpty();
  }

  /** The number of violations by kind, in one line. */
  String line() {
    List<String> parts = new ArrayList<>();
    for (ViolationKind kind : ViolationKind.values()) {
      long count = violations.stream().filter(violation -> violation.kind() == kind).count();
      parts.add(count + " " + kind.name().toLowerCase(Locale.ROOT));
    }
    return String.join(", ", parts)
        + "; "
        + history.operations().size()
        + " operations "
        + history.counts();
  }

  /** The line and the first violations. */
  String text() {
    StringBuilder text = new StringBuilder(line());
    violations.stream().limit(SHOWN).forEach(violation -> text.append("\n  ").append(violation));
    return text.toString();
  }
}
