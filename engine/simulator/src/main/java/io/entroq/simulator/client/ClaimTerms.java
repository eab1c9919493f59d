package io.entroq.simulator.client;

import org.agrona.collections.IntArrayList;

/** The terms of a claim. */
final class ClaimTerms {
  final IntArrayList queues = new IntArrayList();
  long leaseMs;
  int limit;
  boolean waits;

  /** Log time; 0: none. Only for waiting claims. */
  long deadlineMs;

  ClaimTerms clear() {
    queues.clear();
    leaseMs = 0;
    limit = 1;
    waits = false;
    deadlineMs = 0;
    return this;
  }

  long queueBits() {
    long bits = 0;
    for (int i = 0; i < queues.size(); i++) {
      bits |= Call.queueBit(queues.getInt(i));
    }
    return bits;
  }
}
