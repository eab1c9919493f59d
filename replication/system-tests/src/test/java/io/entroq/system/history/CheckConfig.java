package io.entroq.system.history;

import java.time.Duration;
import java.util.Set;

/**
 * What a history is held to.
 *
 * @param leaseParts what of each lease must have passed before somebody else may have the task, in
 *     hundredths; less than 100, as log time may be a tenth faster than clocks, also where one
 *     jumps; 0 where the clock of the next leader is another one
 * @param dead callers that were killed, so that what they asked need not have ended
 * @param certaintyMs within which nobody is told that the outcome of a Modify is unknown
 */
public record CheckConfig(int leaseParts, Set<String> dead, long certaintyMs) {
  /** Where all members have the same clock when they come to lead, and no caller dies. */
  public static final CheckConfig USUAL = new CheckConfig(85, Set.of(), 0);

  /** Copies the set. */
  public CheckConfig {
    dead = Set.copyOf(dead);
  }

  /** The same where members' clocks differ. */
  public CheckConfig withOddClocks() {
    return new CheckConfig(0, dead, certaintyMs);
  }

  /** The same where some callers were killed. */
  public CheckConfig withDead(Set<String> killed) {
    return new CheckConfig(leaseParts, killed, certaintyMs);
  }

  /** The same where a Modify is tried for so long before its outcome is unknown. */
  public CheckConfig withCertainty(Duration time) {
    return new CheckConfig(leaseParts, dead, time.toMillis());
  }
}
