package io.entroq.simulator.replica;

/** Which entry a member applies at a place in the log; a test may have it apply another. */
@FunctionalInterface
interface LogReader {
  /** The one that is there. */
  LogReader TRUE = (log, member, sequence) -> log.get(sequence);

  /**
   * What is applied there.
   *
   * @param member the number of the member, from 0
   */
  Entry read(OrderedLog log, int member, long sequence);
}
