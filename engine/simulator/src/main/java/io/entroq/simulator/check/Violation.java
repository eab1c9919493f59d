package io.entroq.simulator.check;

import java.util.Locale;

/** An invariant was violated. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String rule;
  private final String subject;
  private final String difference;

  /**
   * @param rule the invariant's label, equal for two occurrences of one bug
   * @param subject the task, queue or request, as in printed commands
   * @param expected what should have been seen
   * @param actual what was seen
   */
  public Violation(String rule, Object subject, Object expected, Object actual) {
    super(
        String.format(
            Locale.ROOT,
            "rule: %s%nsubject: %s%nexpected: %s%nactual: %s",
            rule,
            subject,
            expected,
            actual));
    this.rule = rule;
    this.subject = String.valueOf(subject);
    this.difference = String.format(Locale.ROOT, "expected: %s, actual: %s", expected, actual);
  }

  /** The invariant's label; equal for two occurrences of one bug. */
  public String rule() {
    return rule;
  }

  /** The task, queue or request. */
  public String subject() {
    return subject;
  }

  /** What was expected, and what was seen. */
  public String difference() {
    return difference;
  }
}
