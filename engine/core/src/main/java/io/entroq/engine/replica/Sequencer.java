package io.entroq.engine.replica;

import org.agrona.DirectBuffer;

/**
 * Puts proposals into one order with those of other replicas. An accepted proposal may still be
 * lost. Committed proposals come out in the order in which they were accepted, and perhaps twice.
 */
@FunctionalInterface
public interface Sequencer {
  /**
   * Accepts a proposal. Proposing thread.
   *
   * @return false if there is no room now, or no leader
   */
  boolean offer(DirectBuffer buffer, int offset, int length);

  /** The longest message of several proposals that it takes, in bytes. Proposing thread. */
  default int messageBytesMax() {
    return Integer.MAX_VALUE;
  }
}
