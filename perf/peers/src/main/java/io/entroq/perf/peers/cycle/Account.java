package io.entroq.perf.peers.cycle;

import java.util.BitSet;
import java.util.List;

/**
 * What became of the tasks of a measurement: each that was inserted should have been committed
 * once.
 *
 * @param inserted how many were inserted
 * @param committed how many commits there were
 * @param lost how many were never committed
 * @param doubled how many commits were of a task that had been committed before
 */
public record Account(long inserted, long committed, long lost, long doubled) {
  /** Whether every task was committed exactly once. */
  public boolean isExact() {
    return lost == 0 && doubled == 0;
  }

  /** Adds up ledgers, the n-th of which is that of caller n. */
  static Account of(List<Ledger> ledgers) {
    List<BitSet> seen =
        ledgers.stream().map(ledger -> new BitSet((int) ledger.inserted())).toList();
    long committed = 0;
    long doubled = 0;
    for (Ledger ledger : ledgers) {
      for (int i = 0; i < ledger.committed().size(); i++) {
        long number = ledger.committed().getLong(i);
        BitSet tasks = seen.get(Payload.caller(number));
        int sequence = Math.toIntExact(Payload.sequence(number));
        doubled += tasks.get(sequence) ? 1 : 0;
        tasks.set(sequence);
        committed++;
      }
    }
    long inserted = ledgers.stream().mapToLong(Ledger::inserted).sum();
    long distinct = seen.stream().mapToLong(BitSet::cardinality).sum();
    return new Account(inserted, committed, inserted - distinct, doubled);
  }
}
