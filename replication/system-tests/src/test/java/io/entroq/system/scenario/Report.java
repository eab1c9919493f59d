package io.entroq.system.scenario;

import io.entroq.system.history.Finding;
import io.entroq.system.history.Harm;
import io.entroq.system.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What came of a trial.
 *
 * @param findings what cannot be
 */
record Report(History history, List<Finding> findings) {
  private static final int SHOWN = 20;

  Report {
    findings = List.copyOf(findings);
  }

  boolean isGood() {
    return findings.isEmpty();
  }

  /** How many of each, in one line. */
  String line() {
    List<String> parts = new ArrayList<>();
    for (Harm harm : Harm.values()) {
      long count = findings.stream().filter(finding -> finding.harm() == harm).count();
      parts.add(count + " " + harm.name().toLowerCase(Locale.ROOT));
    }
    return String.join(", ", parts)
        + "; "
        + history.operations().size()
        + " operations "
        + history.counts();
  }

  /** The line, and the first findings. */
  String text() {
    StringBuilder text = new StringBuilder(line());
    findings.stream().limit(SHOWN).forEach(finding -> text.append("\n  ").append(finding));
    return text.toString();
  }
}
