package io.entroq.engine.fault;

/** Runs at each {@link FaultPoint}, so that tests can simulate a crash. */
@FunctionalInterface
public interface FaultHook {
  /** The hook of production engines: does nothing. */
  FaultHook NONE = point -> {};

  /**
   * Called on the thread that reached the point; may throw or end the process.
   *
   * <p>The engine may wrap what is thrown, or survive it as it survives a disk error. So a test
   * that simulates a dead process throws here and also fails every later disk operation.
   */
  void reached(FaultPoint point);
}
