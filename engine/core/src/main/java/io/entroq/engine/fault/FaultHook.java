package io.entroq.engine.fault;

/** Runs at each {@link FaultPoint}, so that tests can simulate a crash. */
@FunctionalInterface
public interface FaultHook {
  /** The hook of production engines: does nothing. */
  FaultHook NONE = point -> {};

  /**
   * Called by the thread that reached the point; may throw or end the process.
   *
   * <p>What it throws may come out wrapped, or be taken for trouble of the disk where the engine
   * lives on with that. So whoever plays a process that has died throws here, and lets all that the
   * engine tries on its disk from then on fail as well.
   */
  void reached(FaultPoint point);
}
