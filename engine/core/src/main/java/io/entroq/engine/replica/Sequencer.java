package io.entroq.engine.replica;

import org.agrona.DirectBuffer;

/**
 * Where proposals go to be put in one order with those of others. What is taken may be lost all the
 * same; what comes out in order comes in the order in which it was taken, and perhaps twice.
 */
@FunctionalInterface
public interface Sequencer {
  /**
   * Takes a proposal. Proposing thread.
   *
   * @return false if there is no room now, or nobody to take it
   */
  boolean offer(DirectBuffer buffer, int offset, int length);
}
