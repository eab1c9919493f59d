package io.entroq.engine.replica;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.ExpandableArrayBuffer;

/**
 * Proposals that go to be put in order in one message, since they wait at the same time: a message
 * costs whoever orders it far more than what is in it. One that is alone goes as it is.
 *
 * <p>Proposing thread.
 */
final class ProposalBatch {
  /** So that a command at the end of it is not kept waiting long for those before it. */
  static final int BYTES_MAX = 16 * 1024;

  private final ArrayDeque<Proposal> proposals = new ArrayDeque<>();
  private final ExpandableArrayBuffer message = new ExpandableArrayBuffer(BYTES_MAX);
  private int length;

  /** Whether there is room for another one; for the first there always is. */
  boolean hasRoomFor(Proposal next) {
    return proposals.isEmpty() || length + next.length() <= BYTES_MAX;
  }

  void add(Proposal next) {
    proposals.add(next);
    length += next.length();
  }

  boolean isEmpty() {
    return proposals.isEmpty();
  }

  /** Passes it on; false: there is no room, or nobody to take it. */
  boolean offerTo(Sequencer ordering) {
    if (proposals.size() == 1) {
      return ordering.offer(proposals.peek().buffer(), 0, length);
    }
    int at = 0;
    for (Proposal next : proposals) {
      message.putBytes(at, next.buffer(), 0, next.length());
      at += next.length();
    }
    return ordering.offer(message, 0, length);
  }

  /** Empties it into the end of those that have been sent; how many there were. */
  int sent(Deque<Proposal> sent, long nowNs) {
    int count = proposals.size();
    for (Proposal next = proposals.poll(); next != null; next = proposals.poll()) {
      next.sent(nowNs);
      sent.add(next);
    }
    length = 0;
    return count;
  }

  /** Empties it into the beginning of those that wait. */
  void unpack(Deque<Proposal> unsent) {
    for (Proposal last = proposals.pollLast(); last != null; last = proposals.pollLast()) {
      unsent.addFirst(last);
    }
    length = 0;
  }
}
