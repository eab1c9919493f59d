package io.entroq.engine.upkeep;

/**
 * Who writes snapshots and deletes what they make superfluous: a thread beside the commands, or,
 * where one thread does everything, whoever steps.
 */
public sealed interface UpkeepRunner permits SteppedUpkeep, ThreadedUpkeep {
  /** A thread for each engine. */
  UpkeepRunner THREAD = new ThreadedUpkeep();

  /**
   * Begins to do what is handed to a desk.
   *
   * @return ends that: when it is closed nothing is being done any more
   */
  AutoCloseable run(UpkeepDesk desk);

  /** Whether it goes on while a command waits for it. */
  boolean isBesideCommands();
}
