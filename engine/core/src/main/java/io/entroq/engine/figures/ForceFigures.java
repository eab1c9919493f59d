package io.entroq.engine.figures;

/**
 * The forces of the log that replies wait for, since the engine was opened.
 *
 * @param count how many there were
 * @param totalNs how long they took, all together, in nanoseconds
 */
public record ForceFigures(long count, long totalNs) {
  /** Before the first; also where replies wait for none. */
  public static final ForceFigures NONE = new ForceFigures(0, 0);
}
