package io.entroq.engine.log;

/**
 * Forces that replies waited for since the engine was opened.
 *
 * @param count number of forces
 * @param totalNs their total duration in nanoseconds
 */
public record ForceStats(long count, long totalNs) {
  /** No forces yet, or replies do not wait for any. */
  public static final ForceStats NONE = new ForceStats(0, 0);
}
