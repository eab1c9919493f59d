package io.entroq.simulator.replica;

/** What a member applies for an entry; tests may replace it. */
@FunctionalInterface
interface LogReader {
  /** The entry itself. */
  LogReader TRUE = (log, member, entry) -> entry;

  /**
   * The entry to apply.
   *
   * @param member the number of the member, from 0
   */
  Entry read(OrderedLog log, int member, Entry entry);
}
