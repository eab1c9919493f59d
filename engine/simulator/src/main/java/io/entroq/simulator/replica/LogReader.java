package io.entroq.simulator.replica;

/** Which entry a member executes at a place in the log; a test may have it execute another. */
@FunctionalInterface
interface LogReader {
  /** The one that is there. */
  LogReader TRUE = (log, member, sequence) -> log.get(sequence);

  /**
   * What is executed there.
   *
   * @param member the number of the member, from 0
   */
  Entry read(OrderedLog log, int member, long sequence);
}
