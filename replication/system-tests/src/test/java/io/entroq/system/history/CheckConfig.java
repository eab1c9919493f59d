package io.entroq.system.history;

import java.time.Duration;
import java.util.Set;

/**
 * What the checker requires of a history.
 *
 * @param leaseParts how much of a lease must pass before another caller may have the task, in
 *     hundredths; less than 100, since log time may be a tenth faster than clocks, and 0 if the
 *     next leader may have another clock
 * @param dead callers that were killed, whose last operation need not end
 * @param certaintyMs before which no caller may be told that the outcome of a Modify is unknown
 * @param plain callers that do not retry, to which that does not apply
 */
public record CheckConfig(int leaseParts, Set<String> dead, long certaintyMs, Set<String> plain) {
  /** All leaders have the same clock, and no caller dies. */
  public static final CheckConfig USUAL = new CheckConfig(85, Set.of(), 0, Set.of());

  public CheckConfig {
    dead = Set.copyOf(dead);
    plain = Set.copyOf(plain);
  }

  public CheckConfig withClockChanges() {
    return new CheckConfig(0, dead, certaintyMs, plain);
  }

  public CheckConfig withDead(Set<String> killed) {
    return new CheckConfig(leaseParts, killed, certaintyMs, plain);
  }

  /** Callers retry a Modify for so long before its outcome is unknown. */
  public CheckConfig withCertainty(Duration time) {
    return new CheckConfig(leaseParts, dead, time.toMillis(), plain);
  }

  public CheckConfig withPlain(Set<String> callers) {
    return new CheckConfig(leaseParts, dead, certaintyMs, callers);
  }
}
