package io.entroq.simulator.replica;

/** What a member applies in place of an entry; a test may have it apply another. */
@FunctionalInterface
interface LogReader {
  /** The entry itself. */
  LogReader TRUE = (log, member, entry) -> entry;

  /**
   * What is applied there.
   *
   * @param member the number of the member, from 0
   */
  Entry read(OrderedLog log, int member, Entry entry);
}
