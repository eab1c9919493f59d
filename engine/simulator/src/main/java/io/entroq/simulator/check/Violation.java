package io.entroq.simulator.check;

import java.util.Locale;

/** An invariant was violated. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String rule;
  private final String subject;
  private final String difference;

  /**
   * @param rule which rule, in a few words that stay the same from one occurrence to the next
   * @param subject the task, queue or request that it is about, as it stands in printed commands
   * @param expected what the rule asks for
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

  /** Which rule was broken; equal for two occurrences of one bug. */
  public String rule() {
    return rule;
  }

  /** The task, queue or request that it is about. */
  public String subject() {
    return subject;
  }

  /** What was expected, and what was seen. */
  public String difference() {
    return difference;
  }
}
