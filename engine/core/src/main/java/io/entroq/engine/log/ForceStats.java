package io.entroq.engine.log;

/**
 * The forces of the log that replies wait for, since the engine was opened.
 *
 * @param count how many there were
 * @param totalNs how long they took, all together, in nanoseconds
 */
public record ForceStats(long count, long totalNs) {
  /** Before the first; also where replies wait for none. */
  public static final ForceStats NONE = new ForceStats(0, 0);
}
