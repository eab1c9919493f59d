package io.entroq.engine.replica;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Predicate;

/** Proposals in order, and how many bytes they have. Proposing thread. */
final class ProposalQueue {
  private final ArrayDeque<Proposal> proposals = new ArrayDeque<>();
  private long bytes;

  void add(Proposal last) {
    proposals.add(last);
    bytes += last.length();
  }

  void addFirst(Proposal first) {
    proposals.addFirst(first);
    bytes += first.length();
  }

  /** The first; null: none. */
  Proposal peek() {
    return proposals.peek();
  }

  /** Removes the first; null: none. */
  Proposal poll() {
    return removed(proposals.poll());
  }

  /** Removes the last; null: none. */
  Proposal pollLast() {
    return removed(proposals.pollLast());
  }

  private Proposal removed(Proposal proposal) {
    bytes -= proposal == null ? 0 : proposal.length();
    return proposal;
  }

  void removeIf(Predicate<Proposal> condition) {
    Iterator<Proposal> each = proposals.iterator();
    while (each.hasNext()) {
      Proposal proposal = each.next();
      if (condition.test(proposal)) {
        each.remove();
        bytes -= proposal.length();
      }
    }
  }

  /** In order. */
  Iterable<Proposal> each() {
    return proposals;
  }

  void clear() {
    proposals.clear();
    bytes = 0;
  }

  boolean isEmpty() {
    return proposals.isEmpty();
  }

  int size() {
    return proposals.size();
  }

  long bytes() {
    return bytes;
  }
}
