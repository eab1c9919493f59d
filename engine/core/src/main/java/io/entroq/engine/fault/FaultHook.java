package io.entroq.engine.fault;

/** What is done where a {@link FaultPoint} is reached: the seam for whoever plays a crash. */
@FunctionalInterface
public interface FaultHook {
  /** The hook of every engine that is to live. */
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
