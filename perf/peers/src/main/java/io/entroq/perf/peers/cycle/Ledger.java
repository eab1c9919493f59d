package io.entroq.perf.peers.cycle;

import org.agrona.collections.LongArrayList;

/** What one caller has inserted and what it has committed. For one thread at a time. */
final class Ledger {
  private final LongArrayList committed = new LongArrayList(1 << 12, -1);
  private final int caller;
  private long inserted;

  Ledger(int caller) {
    this.caller = caller;
  }

  /** The number of the next task to insert. */
  long nextNumber() {
    return Payload.number(caller, inserted++);
  }

  void committed(long number) {
    committed.addLong(number);
  }

  int caller() {
    return caller;
  }

  long inserted() {
    return inserted;
  }

  LongArrayList committed() {
    return committed;
  }

  /** How many more tasks it has inserted than committed; below zero if it did work of others. */
  long debt() {
    return inserted - committed.size();
  }
}
